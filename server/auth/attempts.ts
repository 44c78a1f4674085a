import { createHash } from 'node:crypto';
import type { Database } from '../database/connect.ts';
import { createFailureLimit } from '../http/limits/failure-limit.ts';
import { countAttempt, readAttempts } from '../http/limits/rate-limit-queries.ts';
import { emailKey } from './account-names.ts';

const minute = 60_000;
const month = 30 * 24 * 60 * minute;
const failuresAMinute = 10;

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
