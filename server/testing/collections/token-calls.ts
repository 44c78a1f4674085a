/** Calls of a server process with API tokens. */
import type { CreatedApiToken, NewApiToken, Proof } from '../../contract.ts';
import { form } from '../form.ts';
import { picture } from '../pictures.ts';
import type { Server } from '../processes.ts';

type Headers = Record<string, string>;

export const png = await picture();

/** @param account of `register` (members.ts), by whose password the token is proved */
export async function create({ origin }: Server, { bearer }: { bearer: Headers }, more: Partial<NewApiToken> = {}) {
  const send = (path: string, body: object) =>
    fetch(`${origin}/api/account/${path}`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { proof } = (await (await send('proof', { password: 'a long enough password' })).json()) as Proof;
  const scopes = ['images:upload', 'images:read'];
  const answer = await send('tokens', { name: 'a-program', scopes, proof, ...more });
  const { token, secret } = (await answer.json()) as CreatedApiToken;
  return { id: token.id, secret };
}

/** @returns the answer, read to its end */
export async function post({ origin }: Server, path: string, headers: Headers, field: string) {
  const { headers: type, payload: body } = await form([{ name: 'a.png', bytes: png, field }]);
  const answer = await fetch(origin + path, { method: 'POST', headers: { ...type, ...headers }, body });
  return { status: answer.status, text: await answer.text() };
}
