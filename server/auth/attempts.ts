import type { Database } from '../database/connect.ts';
import { tooManyRequests } from '../rate-limit/plugin.ts';
import { countAttempt, uncountAttempt } from '../rate-limit/queries.ts';
import { emailKey } from './queries.ts';

const minute = 60_000;
const failuresAMinute = 10;

/**
 * Failed logins of one account, known or not: at most ten a minute. An attempt is counted before its password is
 * looked at, so that a hundred at once cannot slip through, and taken back when it succeeds.
 *
 * @returns what to call after a success
 * @throws TooManyRequests
 */
export async function countLogin(db: Database, email: string): Promise<() => Promise<void>> {
  const key = `account:${emailKey(email.slice(0, 320))}`;
  const { count, msLeft } = await countAttempt(db, key, minute);
  if (count > failuresAMinute) throw tooManyRequests(msLeft);
  return () => uncountAttempt(db, key);
}
