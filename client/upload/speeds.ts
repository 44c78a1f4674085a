import type { Change } from './pending.ts';
import { addSample, type Sample, speedOf } from './progress.ts';

/** How fast each file leaves, over the same window as the whole. A file has a speed only while it moves itself. */
export function createSpeeds() {
  const samples = new Map<number, readonly Sample[]>();
  const take = (at: number, id: number, change: Change): Change => {
    if (change.status !== undefined) {
      samples.delete(id);
      return { ...change, speed: undefined };
    }
    // One that has its turn later in a request begins with its own first bytes.
    if (!change.sent) return change;
    const taken = addSample(samples.get(id) ?? [], { at, bytes: change.sent });
    samples.set(id, taken);
    return { ...change, speed: speedOf(taken) ?? undefined };
  };
  return {
    /** The changes, with bytes a second where bytes have left. `at`: ms of a monotonic clock. */
    add: (at: number, changes: ReadonlyMap<number, Change>): ReadonlyMap<number, Change> =>
      new Map([...changes].map(([id, change]) => [id, take(at, id, change)])),
    /** No answer comes: what was measured is over. */
    forget: (): void => samples.clear(),
  };
}
