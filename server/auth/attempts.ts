import { createHash } from 'node:crypto';
import type { Database } from '../database/connect.ts';
import { createFailureLimit } from '../http/limits/failure-limit.ts';
import { countAttempt, readAttempts } from '../http/limits/rate-limit-queries.ts';
import { emailKey } from './account-names.ts';

const minute = 60_000;
const month = 30 * 24 * 60 * minute;
const failuresAMinute = 10;

/** The same for codes of an account's second factor, which someone who knows the password must not block. */
export function createCodeAttempts(db: Database, limit: { max: number; windowMs: number }) {
  const attempt = createFailureLimit(db, limit);

  /** @param kind each counts separately @param address as counted by the limits per address @throws TooManyRequests */
  return async function take(
    { kind, id, address }: { kind: 'totp' | 'recovery'; id: string; address: string },
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const pair = digest(id, address);
    const known = `known-codes:${pair}`;
    const { count: right } = await readAttempts(db, known);
    const key = right > 0 ? `second-factor-${kind}:${pair}` : `second-factor-${kind}:${id}`;
    const isRight = (await attempt(key, async () => (await check()) || undefined)) ?? false;
    if (isRight) await countAttempt(db, known, month);
    return isRight;
  };
}

/** Hashed, so that the table does not show who logged in from where. */
const digest = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url');

/**
 * Limits failed logins of one account, existing or not: ten a minute, then 429 before the password is checked. Addresses
 * with a successful login within the last month have separate counts, so strangers cannot lock the owner out.
 */
export function createLoginAttempts(db: Database) {
  const attempt = createFailureLimit(db, { max: failuresAMinute, windowMs: minute });

  /** @param address as counted by the limits per address @param login returns undefined for a failure @throws TooManyRequests */
  return async function take<T>(
    email: string,
    address: string,
    login: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const account = emailKey(email.slice(0, 320));
    const pair = digest(account, address);
    const { count: logins } = await readAttempts(db, `known:${pair}`);
    const key = logins > 0 ? `known-account:${pair}` : `account:${account}`;
    const result = await attempt(key, login);
    if (result !== undefined) await countAttempt(db, `known:${pair}`, month);
    return result;
  };
}
