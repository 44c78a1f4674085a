import pLimit, { type LimitFunction } from 'p-limit';

/** One piece of work at a time for each key, in the order in which it was asked for. `inside`: how many a key has. */
export function createLanes() {
  const lanes = new Map<string, LimitFunction>();
  async function inLane<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = lanes.get(key) ?? pLimit(1);
    lanes.set(key, lane);
    try {
      return await lane(work);
    } finally {
      if (lane.activeCount + lane.pendingCount === 0) lanes.delete(key);
    }
  }
  const inside = (key: string): number => {
    const lane = lanes.get(key);
    return lane ? lane.activeCount + lane.pendingCount : 0;
  };
  return Object.assign(inLane, { inside });
}
