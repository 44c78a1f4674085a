import type { FastifyRequest } from 'fastify';
import type { Transaction } from '../../database/connect.ts';
import { endOtherSessions } from '../queries.ts';
import { countFactors, putRecoveryCodes } from './queries.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';

/** Replaces the codes of an account. @returns them, for the only time */
export async function renewRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await putRecoveryCodes(tx, userId, codes.map(hashRecoveryCode));
  return codes;
}

/** `recovery_codes`: the first ones of an account that logs in by password and has none left. `ended`: other sessions. */
type AfterFactor = { recovery_codes: string[] | null; ended: number };

/** Call after a factor was added, in its transaction. The first one ends the other sessions, which did not give it. */
export async function afterFactor(tx: Transaction, { account, sessionId }: FastifyRequest): Promise<AfterFactor> {
  const { hasPassword, hasTotp, passkeys, recoveryCodes } = await countFactors(tx, account.id);
  const isFirst = passkeys + (hasTotp ? 1 : 0) === 1;
  return {
    recovery_codes: hasPassword && recoveryCodes === 0 ? await renewRecoveryCodes(tx, account.id) : null,
    ended: isFirst ? await endOtherSessions(tx, account.id, sessionId) : 0,
  };
}
