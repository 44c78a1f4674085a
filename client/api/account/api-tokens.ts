import type { ApiToken, ApiTokenList, CreatedApiToken, NewApiToken } from '../../../server/contract.ts';
import { request } from '../client.ts';
import { send } from '../http.ts';

/** Sorted by last use, latest first. */
export const listTokens = async (signal: AbortSignal): Promise<ApiToken[]> =>
  (await request<ApiTokenList>('account/tokens', { signal })).tokens;

/** The answer is the only one that contains the secret. */
export const createToken = (token: NewApiToken): Promise<CreatedApiToken> =>
  request<CreatedApiToken>('account/tokens', { method: 'post', json: token });

export const endToken = (id: string): Promise<void> =>
  request<void>(`account/tokens/${encodeURIComponent(id)}`, { method: 'delete' });

/** @returns the SHA-256 of the server's command line client, in hexadecimal */
export async function commandLineChecksum(signal: AbortSignal): Promise<string> {
  const answer = await send('/cli/gallery.mjs.sha256', { signal }, fetch);
  if (!answer.ok) throw new Error(`the checksum was answered with ${answer.status}`);
  return (await answer.text()).split(' ', 1)[0] ?? '';
}
