/** Calls of a server process with API tokens. */
import type { CreatedApiToken, NewApiToken } from '../../contract.ts';
import { form } from '../form.ts';
import { picture } from '../pictures.ts';
import type { Server } from '../processes.ts';

type Headers = Record<string, string>;

export const png = await picture();

export async function create({ origin }: Server, { bearer }: { bearer: Headers }, more: Partial<NewApiToken> = {}) {
  const answer = await fetch(`${origin}/api/account/tokens`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a-program', scopes: ['images:upload', 'images:read'], ...more }),
  });
  const { token, secret } = (await answer.json()) as CreatedApiToken;
  return { id: token.id, secret };
}

/** @returns the answer, read to its end */
export async function post({ origin }: Server, path: string, headers: Headers, field: string) {
  const { headers: type, payload: body } = await form([{ name: 'a.png', bytes: png, field }]);
  const answer = await fetch(origin + path, { method: 'POST', headers: { ...type, ...headers }, body });
  return { status: answer.status, text: await answer.text() };
}
