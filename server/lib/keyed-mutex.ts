import pLimit, { type LimitFunction } from 'p-limit';

/** Returns a keyed limit: runs at most `atOnce` works of each key, in order. `inside`: running and waiting calls of a key. */
export function createKeyedLimit(atOnce: number) {
  const limits = new Map<string, LimitFunction>();
  async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const limit = limits.get(key) ?? pLimit(atOnce);
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

/** Returns a keyed mutex: runs the works of each key one at a time. */
export const createKeyedMutex = () => createKeyedLimit(1);
