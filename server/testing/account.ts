import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

export type TestAccount = {
  id: string;
  email: string;
  password: string;
  token: string;
  /** `name=value` of the session's cookie. */
  cookie: string;
  /** Headers of a call that carries the bearer token. */
  bearer: { authorization: string };
};

/** Registers a random user and logs in. */
export async function signIn(app: FastifyInstance): Promise<TestAccount> {
  const username = `user-${randomBytes(6).toString('hex')}`;
  const account = { username, email: `${username}@example.com`, password: 'a long enough password' };
  const registered = await app.inject({ method: 'POST', url: '/api/auth/register', payload: account });
  if (registered.statusCode !== 201) throw new Error(`registration failed: ${registered.body}`);
  return logIn(app, account);
}

export async function logIn(
  app: FastifyInstance,
  { email, password }: { email: string; password: string },
): Promise<TestAccount> {
  const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } });
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
