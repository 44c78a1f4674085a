import { randomBytes } from 'node:crypto';

async function post(origin: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${origin}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Registers an account with a random name and logs in. @returns the token for `Authorization: Bearer` */
export async function signIn(origin: string): Promise<string> {
  const username = `bench-${randomBytes(6).toString('hex')}`;
  const account = { email: `${username}@example.com`, password: 'a long password for a bench' };
  await post(origin, 'register', { username, ...account });
  const answer = await post(origin, 'login', account);
  return (answer as { access_token: string }).access_token;
}
