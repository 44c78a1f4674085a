/** Limits wrong API tokens of one address: sixty a minute, then 429. */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/connect.ts';
import { addressKey } from '../../http/limits/address.ts';
import { createCounter, tooManyRequests } from '../../http/limits/rate-limit.ts';

const MINUTE = 60_000;
const MOST = 60;
const MAX_ADDRESSES = 10_000;
const MAX_KNOWN = 10_000;

/**
 * Counts in memory, so that an address beyond the limit needs no database, and nor does a mistyped token. Other wrong
 * tokens are also counted in the database, for all processes. A token that was right lately passes, since another program
 * behind the same address may send wrong ones.
 */
export function createWrongTokens(db: Database) {
  const countShared = createCounter(db);
  const counts = new LRUCache<string, number>({ max: MAX_ADDRESSES, ttl: MINUTE, noUpdateTTL: true });
  const known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: MINUTE });

  return {
    /** @throws TooManyRequests */
    check(ip: string, hash: string | undefined): void {
      const key = addressKey(ip);
      const isBeyond = (counts.get(key) ?? 0) >= MOST;
      if (isBeyond && (hash === undefined || !known.has(hash))) throw tooManyRequests(counts.getRemainingTTL(key));
    },
    /** @throws TooManyRequests if all processes together got more from this address */
    async noteWrong(ip: string, hash: string | undefined): Promise<void> {
      const key = addressKey(ip);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (hash === undefined) return;
      const { count, msLeft } = await countShared(`wrong-token:${key}`, MINUTE, MOST);
      if (count >= MOST) counts.set(key, count, { ttl: Math.max(1, Math.ceil(msLeft)), noUpdateTTL: false });
      if (count > MOST) throw tooManyRequests(msLeft);
    },
    noteRight: (hash: string): void => void known.set(hash, true),
  };
}
