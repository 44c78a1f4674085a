import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from '../database/connect.ts';
import { tooManyRequests } from '../rate-limit/plugin.ts';
import { countAttempt, readAttempts } from '../rate-limit/queries.ts';
import { emailKey } from './queries.ts';

const minute = 60_000;
const failuresAMinute = 10;

/**
 * Failed logins of one account, known or not: at most ten a minute, then 429 before a password is looked at. The tries
 * of one account take turns, so that a hundred at once cannot slip past the count, nor good ones be taken for failed.
 */
export function createLoginAttempts(db: Database) {
  const lanes = new Map<string, LimitFunction>();

  async function attempt<T>(key: string, login: () => Promise<T | undefined>): Promise<T | undefined> {
    const { count, msLeft } = await readAttempts(db, key);
    if (count >= failuresAMinute) throw tooManyRequests(msLeft);
    const result = await login();
    if (result === undefined) await countAttempt(db, key, minute);
    return result;
  }

  /**
   * @param login answers undefined for a failure
   * @throws TooManyRequests
   */
  return async function take<T>(email: string, login: () => Promise<T | undefined>): Promise<T | undefined> {
    const key = `account:${emailKey(email.slice(0, 320))}`;
    const lane = lanes.get(key) ?? pLimit(1);
    lanes.set(key, lane);
    try {
      return await lane(() => attempt(key, login));
    } finally {
      if (lane.activeCount + lane.pendingCount === 0) lanes.delete(key);
    }
  };
}
