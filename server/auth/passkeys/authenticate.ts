import type { FastifyRequest } from 'fastify';
import type { PasskeyRow, UserRow } from '../../../drizzle/schema.ts';
import type { PasskeyAnswer, PasskeyRequest } from '../../contract.ts';
import type { Database } from '../../database/connect.ts';
import { createChallenge, takeChallenge } from '../challenge-queries.ts';
import { authenticationOptions, ceremonyTime, challengeOf, verifyAuthentication } from './ceremonies.ts';
import { findPasskey, listPasskeys, notePasskeyUse } from './queries.ts';
import { assertRelyingParty } from './relying-party.ts';

type Nothing = Record<string, never>;

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    'passkey-login': Nothing;
    'passkey-second-factor': Nothing;
    'passkey-proof': Nothing;
  }
}

/** For what a passkey is requested: an answer to one is not accepted for another. */
export type Purpose = 'passkey-login' | 'passkey-second-factor' | 'passkey-proof';

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Logins and confirmations by passkey. The challenge of WebAuthn is the token of a stored step, so each works once. */
export function createPasskeys(db: Database, publicUrl: string | undefined) {
  return {
    /** @param userId null if any account may answer @throws PasskeysUnavailable */
    async ask(request: FastifyRequest, kind: Purpose, userId: string | null): Promise<PasskeyRequest> {
      const party = assertRelyingParty(request, publicUrl);
      const allowed = userId === null ? undefined : await listPasskeys(db, userId);
      const challenge = await createChallenge(db, { kind, userId, data: {}, lifetimeMs: ceremonyTime });
      return authenticationOptions(party, challenge, allowed);
    },

    /**
     * @param userId null if any account may answer
     * @returns the account of the passkey; undefined if it is not accepted
     * @throws PasskeysUnavailable
     */
    async check(
      request: FastifyRequest,
      kind: Purpose,
      answer: PasskeyAnswer,
      userId: string | null,
    ): Promise<{ passkey: PasskeyRow; user: UserRow } | undefined> {
      const party = assertRelyingParty(request, publicUrl);
      const challenge = challengeOf(answer);
      const step = await takeChallenge(db, kind, challenge);
      const found = step && (await findPasskey(db, answer.id));
      if (!found || step.userId !== userId || (userId !== null && found.user.id !== userId)) return undefined;
      const verified = await verifyAuthentication({ party, challenge, log: request.log }, answer, found.passkey);
      if (!verified) return undefined;
      if (await notePasskeyUse(db, found.passkey.id, verified)) return found;
      request.log.warn({ passkey: found.passkey.id }, 'passkey refused: its counter has not grown, it may be a copy');
      return undefined;
    },
  };
}
