/** Limits wrong API tokens of one address: sixty a minute, then 429. */
import { LRUCache } from 'lru-cache';
import { addressKey } from '../../http/limits/address.ts';
import { tooManyRequests } from '../../http/limits/rate-limit.ts';

const MINUTE = 60_000;
const MOST = 60;
const MAX_ADDRESSES = 10_000;
const MAX_KNOWN = 10_000;

/**
 * Counts in memory, for one process: a secret has 256 bits, so the limit protects the database and not the secret.
 * A token that was right lately passes, since another program behind the same address may send wrong ones.
 */
export function createWrongTokens() {
  const counts = new LRUCache<string, { count: number }>({ max: MAX_ADDRESSES, ttl: MINUTE });
  const known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: MINUTE });

  /** @throws TooManyRequests */
  function check(ip: string, hash: string | undefined): void {
    const key = addressKey(ip);
    const { count = 0 } = counts.get(key) ?? {};
    if (count >= MOST && (hash === undefined || !known.has(hash))) throw tooManyRequests(counts.getRemainingTTL(key));
  }

  return {
    check,
    noteWrong(ip: string): void {
      const key = addressKey(ip);
      const found = counts.get(key);
      if (found) found.count += 1;
      else counts.set(key, { count: 1 });
    },
    noteRight: (hash: string): void => void known.set(hash, true),
  };
}
