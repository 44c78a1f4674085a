import type { Database } from '../../database/connect.ts';
import { newToken } from '../../mail/token.ts';
import { createChallenge } from '../challenge-queries.ts';
import { loginLifetime } from './browser.ts';
import type { ProviderClient } from './provider-client.ts';

type Start = {
  /** Hash of the browser's cookie. */
  browser: string;
  share?: string | undefined;
  /** For a link: the session that started it. */
  sessionId?: string | undefined;
};

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    /** A person who is at the provider. Its account is the one that an identity is linked to; null for a login. */
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
  return provider.loginUrl({ ...checks, state });
}
