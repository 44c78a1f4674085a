import type { FastifyBaseLogger } from 'fastify';
import type { UserRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { type Caller, underCallerLock } from '../../database/statements/owner-lock.ts';
import { TotpUnreadable } from '../../errors.ts';
import { addressKey } from '../../http/limits/address.ts';
import { createCodeAttempts } from '../attempts.ts';
import { confirmTotp, putTotpSecret, readTotpSecret, spendRecoveryCode, spendTotpStep } from './queries.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import type { Sealing } from './sealing.ts';
import { newTotpSecret, stepOf } from './totp.ts';

const minute = 60_000;

/** A guess is right three times in a million. Ten in a quarter of an hour are right once in a year, on average. */
const failures = { max: 10, windowMs: 15 * minute };

type Named = Pick<UserRow, 'id'>;
/** The account, and the address of the call. */
type Guesser = Named & { ip: string };
type Options = { sealing: Sealing; limited: boolean; log: FastifyBaseLogger };

export type Codes = ReturnType<typeof createCodes>;

/** Codes of authenticator apps, and recovery codes. */
export function createCodes(db: Database, { sealing, limited, log }: Options) {
  const attempts = createCodeAttempts(db, failures);

  /** Limits failures of an account in all of its logins. The two kinds count separately, so that one is left. */
  const check = (kind: 'totp' | 'recovery', { id, ip }: Guesser, attempt: () => Promise<boolean>): Promise<boolean> =>
    limited ? attempts({ kind, id, address: addressKey(ip) }, attempt) : attempt();

  /** @throws TotpUnreadable */
  function open(sealed: string, userId: string): Buffer {
    const secret = sealing.open(sealed, userId);
    if (secret) return secret;
    log.error({ account: userId }, 'the secret of an authenticator app was sealed with another JWT_SECRET');
    throw new TotpUnreadable();
  }

  return {
    /** Each code is accepted once. @throws TooManyRequests, TotpUnreadable */
    totp: ({ id, ip }: Guesser, code: string): Promise<boolean> =>
      check('totp', { id, ip }, async () => {
        const sealed = await readTotpSecret(db, id, true);
        const step = sealed === undefined ? undefined : stepOf(open(sealed, id), code);
        return sealed !== undefined && step !== undefined && (await spendTotpStep(db, id, sealed, step));
      }),

    /** Each code is accepted once. @throws TooManyRequests */
    recovery: ({ id, ip }: Guesser, code: string): Promise<boolean> =>
      check('recovery', { id, ip }, () => spendRecoveryCode(db, id, hashRecoveryCode(code))),

    /** @returns a new secret, which its owner must confirm with a first code @throws FactorExists */
    async begin(caller: Caller): Promise<Uint8Array> {
      const id = caller.access.ownerId;
      const secret = newTotpSecret();
      await underCallerLock(db, caller, (tx) => putTotpSecret(tx, id, sealing.seal(secret, id)));
      return secret;
    },

    /**
     * @param alongside runs in the same transaction
     * @returns undefined for a wrong code, or if there is nothing to confirm @throws TotpUnreadable
     */
    async confirm<T>(
      caller: Caller,
      code: string,
      alongside: (tx: Parameters<typeof confirmTotp>[0]) => Promise<T>,
    ): Promise<T | undefined> {
      const id = caller.access.ownerId;
      const sealed = await readTotpSecret(db, id, false);
      const step = sealed === undefined ? undefined : stepOf(open(sealed, id), code);
      if (sealed === undefined || step === undefined) return undefined;
      return underCallerLock(db, caller, async (tx) =>
        (await confirmTotp(tx, id, sealed, step)) ? alongside(tx) : undefined,
      );
    },
  };
}
