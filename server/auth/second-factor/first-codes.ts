import type { Transaction } from '../../database/connect.ts';
import { countFactors, putRecoveryCodes } from './queries.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';

/** Replaces the codes of an account. @returns them, for the only time */
export async function renewRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await putRecoveryCodes(tx, userId, codes.map(hashRecoveryCode));
  return codes;
}

/** Call after a factor was added. @returns the first codes of an account that logs in by password and has none left */
export async function firstRecoveryCodes(tx: Transaction, userId: string): Promise<string[] | null> {
  const { hasPassword, recoveryCodes } = await countFactors(tx, userId);
  return hasPassword && recoveryCodes === 0 ? renewRecoveryCodes(tx, userId) : null;
}
