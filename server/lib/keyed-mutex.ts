import pLimit, { type LimitFunction } from 'p-limit';

/** One piece of work at a time for each key, in the order in which it was asked for. `inside`: how many a key has. */
export function createKeyedMutex() {
  const limits = new Map<string, LimitFunction>();
  async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const limit = limits.get(key) ?? pLimit(1);
    limits.set(key, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
    }
  }
  const inside = (key: string): number => {
    const limit = limits.get(key);
    return limit ? limit.activeCount + limit.pendingCount : 0;
  };
  return Object.assign(inTurn, { inside });
}
