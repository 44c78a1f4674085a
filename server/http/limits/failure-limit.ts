import type { Database } from '../../database/connect.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import { tooManyRequests } from './rate-limit.ts';
import { countAttempt, readAttempts, uncountAttempt } from './rate-limit-queries.ts';

/**
 * Limits failed attempts of a key. Attempts of one key run one at a time and are counted in advance, so neither parallel
 * requests nor several servers exceed the limit.
 */
export function createFailureLimit(db: Database, { max, windowMs }: { max: number; windowMs: number }) {
  const inMutex = createKeyedMutex();

  async function limited<T>(key: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    const before = await readAttempts(db, key);
    if (before.count >= max) throw tooManyRequests(before.msLeft);
    const { count, msLeft } = await countAttempt(db, key, windowMs);
    if (count > max) throw tooManyRequests(msLeft);
    let isFailure = false;
    try {
      const result = await attempt();
      isFailure = result === undefined;
      return result;
    } finally {
      if (!isFailure) await uncountAttempt(db, key);
    }
  }

  /** @param attempt returns undefined for a failure @throws TooManyRequests */
  return <T>(key: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> =>
    inMutex(key, () => limited(key, attempt));
}
