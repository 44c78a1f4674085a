import type { FastifyInstance } from 'fastify';
import type { CreatedApiToken, NewApiToken } from '../contract.ts';
import { proofOf, type TestAccount } from './account.ts';

export type TestToken = CreatedApiToken['token'] & {
  secret: string;
  /** Headers with the token. */
  bearer: { authorization: string };
};

/** @throws if the server refuses it */
export async function createApiToken(
  app: FastifyInstance,
  { bearer }: TestAccount,
  scopes: NewApiToken['scopes'],
  more: Partial<NewApiToken> = {},
): Promise<TestToken> {
  const payload = { name: 'a program', scopes, proof: await proofOf(app, bearer), ...more };
  const answer = await app.inject({ method: 'POST', url: '/api/account/tokens', headers: bearer, payload });
  if (answer.statusCode !== 201) throw new Error(`no token was created: ${answer.statusCode} ${answer.body}`);
  const { token, secret } = answer.json<CreatedApiToken>();
  return { ...token, secret, bearer: { authorization: `Bearer ${secret}` } };
}
