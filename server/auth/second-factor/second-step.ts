/** The step of a login between the password and the session. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SessionRow, UserRow } from '../../../drizzle/schema.ts';
import type { PasskeyRequest, SecondFactorBody, SecondFactorMethod } from '../../contract.ts';
import type { Database } from '../../database/connect.ts';
import { InvalidRequest, LoginStepEnded, SecondFactorNeeded, WrongSecondFactor } from '../../errors.ts';
import { createChallenge, findChallenge, takeChallenge, tryChallenge } from '../challenge-queries.ts';
import { assertMayLogIn } from '../may-log-in.ts';
import { noteFailure } from '../note-failure.ts';
import type { Passkeys } from '../passkeys/authenticate.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import { findUser } from '../queries.ts';
import type { Codes } from './codes.ts';
import { countFactors, type FactorCounts, hasFactor } from './queries.ts';

type Language = 'en' | 'ar';

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    /** `password`: hashed again, of the password that was right. */
    'second-factor': { password: string; language: Language };
  }
}

/** Milliseconds to find the device. */
const lifetimeMs = 10 * 60_000;

/** Codes that may be tried with one password. */
const most = 5;

/** Changes with the password. */
const printOf = ({ passwordHash }: UserRow) =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('hex');

type Login = { request: FastifyRequest; user: UserRow; language: Language };
type Done = { user: UserRow; language: Language; secondFactor: NonNullable<SessionRow['secondFactor']> };
type Parts = { codes: Codes; passkeys: Passkeys; publicUrl: string | undefined };

export type SecondStep = ReturnType<typeof createSecondStep>;

export function createSecondStep(db: Database, { codes, passkeys, publicUrl }: Parts) {
  /** Only what can work at this address. */
  function methodsOf(request: FastifyRequest, counts: FactorCounts): SecondFactorMethod[] {
    const isHere = typeof relyingPartyOf(request, publicUrl) !== 'string';
    return [
      ...(counts.passkeys > 0 && isHere ? (['passkey'] as const) : []),
      ...(counts.hasTotp ? (['totp'] as const) : []),
      ...(counts.recoveryCodes > 0 ? (['recovery-code'] as const) : []),
    ];
  }

  async function check(
    request: FastifyRequest,
    user: UserRow,
    body: SecondFactorBody,
  ): Promise<Done['secondFactor'] | undefined> {
    const { code, recovery_code, passkey } = body;
    const caller = { id: user.id, ip: request.ip };
    if (code !== undefined) return (await codes.totp(caller, code)) ? 'totp' : undefined;
    if (recovery_code !== undefined) return (await codes.recovery(caller, recovery_code)) ? 'recovery-code' : undefined;
    if (passkey === undefined) return undefined;
    return (await passkeys.check(request, 'passkey-second-factor', passkey, user.id)) ? 'passkey' : undefined;
  }

  return {
    /** Call after the right password. @throws SecondFactorNeeded if the account has one; AccountDisabled, AccountPending */
    async begin({ request, user, language }: Login): Promise<void> {
      const counts = await countFactors(db, user.id);
      if (!hasFactor(counts)) return;
      await assertMayLogIn(db, request, user);
      const data = { password: printOf(user), language };
      const token = await createChallenge(db, { kind: 'second-factor', userId: user.id, data, lifetimeMs });
      const methods = methodsOf(request, counts);
      const expires_at = new Date(Date.now() + lifetimeMs).toISOString();
      throw Object.assign(new SecondFactorNeeded(), { secondFactor: { token, methods, expires_at } });
    },

    /** @throws LoginStepEnded, PasskeysUnavailable */
    async askPasskey(request: FastifyRequest, token: string): Promise<PasskeyRequest> {
      const step = await findChallenge(db, 'second-factor', token);
      if (!step?.userId) throw new LoginStepEnded();
      return passkeys.ask(request, 'passkey-second-factor', step.userId);
    },

    /** @returns the account, whose session may be opened @throws LoginStepEnded, WrongSecondFactor, TooManyRequests */
    async finish(request: FastifyRequest, body: SecondFactorBody): Promise<Done> {
      const { token, ...given } = body;
      if (Object.values(given).filter((value) => value !== undefined).length !== 1) {
        throw new InvalidRequest('Send exactly one of the fields "code", "recovery_code" and "passkey".');
      }
      const step = await tryChallenge(db, 'second-factor', token, most);
      const user = step?.userId ? await findUser(db, step.userId) : undefined;
      if (!step || !user || printOf(user) !== step.data.password) throw new LoginStepEnded();
      const secondFactor = await check(request, user, body);
      if (secondFactor === undefined) {
        const [method = ''] = Object.keys(given);
        await noteFailure(db, request, { reason: 'second-factor', method }, user);
        throw new WrongSecondFactor();
      }
      if (!(await takeChallenge(db, 'second-factor', token))) throw new LoginStepEnded();
      return { user, language: step.data.language, secondFactor };
    },
  };
}
