/** Changes of second factors, and the deletion of an account, need a fresh proof of its owner: an open session is not enough. */
import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Factors, PasskeyRequest, PasswordProof, Proof, ProofBody } from '../../contract.ts';
import type { Database } from '../../database/connect.ts';
import { InvalidRequest, ProofNeeded, ProofNotAccepted } from '../../errors.ts';
import { createChallenge, findChallenge } from '../challenge-queries.ts';
import type { Credentials } from '../credentials.ts';
import { noteWrongProof } from '../note-failure.ts';
import type { Passkeys } from '../passkeys/authenticate.ts';
import { findUser } from '../queries.ts';
import { hasIdentity } from '../ways-in-queries.ts';
import { newLoginLeft, openingLeft, proofLifetime } from './provider-proof-queries.ts';
import { countFactors, type FactorCounts, usesPassword } from './queries.ts';

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    proof: { sessionId: string };
  }
}

type Options = {
  credentials: Credentials;
  passkeys: Passkeys;
  config: Pick<Config, 'passwordLogin' | 'oidcIssuer'>;
  /** Undefined if this server has none. */
  provider: { showsNewLogins: () => Promise<boolean> } | undefined;
};

export type Proofs = ReturnType<typeof createProofs>;

export function createProofs(db: Database, { credentials, passkeys, config, provider }: Options) {
  /** @returns the milliseconds in which a login at the provider that took place still confirms the owner; 0 without one */
  async function recentLoginLeft({ account, sessionId }: FastifyRequest, counts: FactorCounts): Promise<number> {
    if (usesPassword(config, counts)) return 0;
    const left = await newLoginLeft(db, { userId: account.id, sessionId });
    return counts.passkeys > 0 ? left : Math.max(left, await openingLeft(db, sessionId));
  }

  const canLogInAgain = async ({ account }: FastifyRequest) =>
    provider !== undefined && (await hasIdentity(db, account.id, config.oidcIssuer)) && provider.showsNewLogins();

  /** How a login at the provider confirms the owner: it has just taken place, it can take place, or there is no such way. */
  async function byProvider(request: FastifyRequest): Promise<Factors['provider_proof']> {
    const counts = await countFactors(db, request.account.id);
    if ((await recentLoginLeft(request, counts)) > 0) return 'recent';
    return !usesPassword(config, counts) && (await canLogInAgain(request)) ? 'login' : null;
  }

  /** @returns the milliseconds for which it confirms the owner @throws ProofNotAccepted, WrongPassword, TooManyRequests */
  async function check(request: FastifyRequest, { password, passkey }: ProofBody): Promise<number> {
    const { account } = request;
    if (passkey) {
      if (await passkeys.check(request, 'passkey-proof', passkey, account.id)) return proofLifetime;
      await noteWrongProof(db, request, { reason: 'passkey' });
      throw new ProofNotAccepted();
    }
    if (password !== undefined) {
      await credentials.confirm(request, password);
      return proofLifetime;
    }
    // The proof ends with the login, so that it does not extend it.
    const left = await recentLoginLeft(request, await countFactors(db, account.id));
    if (left === 0) throw new ProofNotAccepted();
    return left;
  }

  return {
    byProvider,

    /** Whether a new login at the provider can confirm the owner. */
    async canAskProvider(request: FastifyRequest): Promise<boolean> {
      return !usesPassword(config, await countFactors(db, request.account.id)) && canLogInAgain(request);
    },

    ask: (request: FastifyRequest): Promise<PasskeyRequest> =>
      passkeys.ask(request, 'passkey-proof', request.account.id),

    /** @returns what the session may change second factors with, for at most five minutes @throws as `check` */
    async give(request: FastifyRequest, body: ProofBody): Promise<Proof> {
      const lifetimeMs = await check(request, body);
      const { account, sessionId } = request;
      const proof = await createChallenge(db, {
        kind: 'proof',
        userId: account.id,
        data: { sessionId },
        lifetimeMs,
      });
      return { proof, expires_at: new Date(Date.now() + lifetimeMs).toISOString() };
    },

    /**
     * The owner of the session, who has just given the password, or has a proof.
     * @throws InvalidRequest, ProofNeeded, WrongPassword, TooManyRequests
     */
    async confirm(request: FastifyRequest, { password, proof }: PasswordProof): Promise<UserRow> {
      if (password !== undefined) return credentials.confirm(request, password);
      if (proof === undefined) throw new InvalidRequest('Send the password, or a proof from POST /api/account/proof.');
      await this.assert(request, proof);
      const user = await findUser(db, request.account.id);
      if (!user) throw new ProofNeeded();
      return user;
    },

    /** @throws ProofNeeded */
    async assert({ account, sessionId }: FastifyRequest, proof: string): Promise<void> {
      const found = await findChallenge(db, 'proof', proof);
      if (found?.userId !== account.id || found.data.sessionId !== sessionId) throw new ProofNeeded();
    },
  };
}
