import type { ApiToken, ApiTokenList, CreatedApiToken, NewApiToken } from '../../server/contract.ts';
import { request } from './client.ts';

/** Sorted by last use, latest first. */
export const listTokens = async (signal: AbortSignal): Promise<ApiToken[]> =>
  (await request<ApiTokenList>('account/tokens', { signal })).tokens;

/** The answer is the only one that contains the secret. */
export const createToken = (token: NewApiToken): Promise<CreatedApiToken> =>
  request<CreatedApiToken>('account/tokens', { method: 'post', json: token });

export const endToken = (id: string): Promise<void> =>
  request<void>(`account/tokens/${encodeURIComponent(id)}`, { method: 'delete' });
