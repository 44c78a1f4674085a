import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { FastifyInstance } from 'fastify';
import { insertUser } from '../auth/queries.ts';

export type TestAccount = {
  id: string;
  email: string;
  password: string;
  token: string;
  /** `name=value` of the session's cookie. */
  cookie: string;
  /** Headers with the bearer token. */
  bearer: { authorization: string };
};

/** Source address of a call; default: this machine. */
type From = { remoteAddress?: string };

const defaultPassword = 'a long enough password';
/** Fast to verify, unlike the server's hashes. */
const quickHash = hash(defaultPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** A new account with a random name, logged in. */
export async function signIn(app: FastifyInstance, from: From = {}): Promise<TestAccount> {
  const username = `user-${randomBytes(6).toString('hex')}`;
  const email = `${username}@example.com`;
  await insertUser(app.db, { username, email, passwordHash: await quickHash });
  return logIn(app, { email, password: defaultPassword }, from);
}

export async function logIn(
  app: FastifyInstance,
  { email, password }: { email: string; password: string },
  from: From = {},
): Promise<TestAccount> {
  const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password }, ...from });
  if (answer.statusCode !== 200) throw new Error(`login failed: ${answer.body}`);
  const { access_token: token, user } = answer.json();
  const [cookie] = answer.cookies;
  return {
    id: user.id,
    email,
    password,
    token,
    cookie: `${cookie?.name}=${cookie?.value}`,
    bearer: { authorization: `Bearer ${token}` },
  };
}

/** What a session needs for changes that an open session alone must not make: by its provider, or by the password of `signIn`. */
export async function proofOf(app: FastifyInstance, headers: { authorization: string }): Promise<string> {
  for (const payload of [{}, { password: defaultPassword }]) {
    const answer = await app.inject({ method: 'POST', url: '/api/account/proof', headers, payload });
    if (answer.statusCode === 200) return answer.json().proof;
  }
  throw new Error('the account gave no proof');
}
