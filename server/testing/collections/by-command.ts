/** Accounts created by the administrator's program, and their logins. */
import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { admin, type Server } from '../processes.ts';

export type Environment = Record<string, string>;
type Account = { username: string; email: string; password: string };

export const newAccount = (): Account => {
  const username = `user-${randomBytes(6).toString('hex')}`;
  return { username, email: `${username}@example.com`, password: 'a long enough password' };
};

export const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Creates an account by the command, with its password on standard input. */
export const create = (t: Test, env: Environment, { username, email, password }: Account, more: string[] = []) =>
  admin(t, ['users', 'create', '--username', username, '--email', email, '--password-stdin', ...more], env, password);

/** Logs in. @returns the server's answers to the bearer token and to the cookie */
export async function logIn({ origin }: Server, { email, password }: Account) {
  const answer = await post(`${origin}/api/auth/login`, { email, password });
  const { access_token: token, code } = (await answer.json()) as { access_token?: string; code?: string };
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const me = async (headers: Record<string, string>) => (await fetch(`${origin}/api/auth/me`, { headers })).status;
  return {
    status: answer.status,
    code,
    alive: async () => [await me({ authorization: `Bearer ${token}` }), await me({ cookie })],
  };
}

/** The output of `users list --json`. */
export async function list(t: Test, env: Environment): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await admin(t, ['users', 'list', '--json'], env);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

export const alive = [200, 200];
export const dead = [401, 401];
