import type { FastifyRequest } from 'fastify';
import type { Database } from '../../database/connect.ts';
import { ProviderMisconfigured, ProviderUnavailable } from '../../errors.ts';
import { newToken } from '../../mail/token.ts';
import { createChallenge } from '../challenge-queries.ts';
import { loginLifetime } from './browser.ts';
import type { Offer } from './offer.ts';
import { ProviderProblem } from './problem.ts';
import type { ProviderClient } from './provider-client.ts';

type Start = {
  /** Hash of the browser's cookie. */
  browser: string;
  share?: string | undefined;
  /** For a link or a confirmation: the session that started it. */
  sessionId?: string | undefined;
  /** What the person gets by the link that they opened here. */
  offer?: Offer | undefined;
  /** For a confirmation: seconds since 1970, after which the person must log in at the provider. */
  since?: number | undefined;
};

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    /** A person who is at the provider. Its account is the one that an identity is linked to, or that is confirmed; null for a login. */
    'provider-login': Start & { nonce: string; verifier: string };
  }
}

/** @returns the address at the provider @throws ProviderProblem */
export async function startLogin(
  db: Database,
  provider: Pick<ProviderClient, 'loginUrl'>,
  { userId, ...start }: Start & { userId: string | null },
): Promise<string> {
  // 43 characters of base64url, as RFC 7636 asks of a verifier.
  const checks = { nonce: newToken(), verifier: newToken() };
  const data = { ...start, ...checks };
  const state = await createChallenge(db, { kind: 'provider-login', userId, data, lifetimeMs: loginLifetime });
  return provider.loginUrl({ ...checks, since: start.since, state });
}

/** For a page that leads to the provider itself. @throws ProviderMisconfigured, ProviderUnavailable */
export async function addressOf(request: FastifyRequest, starting: Promise<string>): Promise<string> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    request.log.warn({ reason: error.message }, 'the page cannot lead to the provider');
    throw error.problem === 'settings' ? new ProviderMisconfigured() : new ProviderUnavailable();
  }
}
