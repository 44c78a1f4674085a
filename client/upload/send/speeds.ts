import type { Change } from '../list/pending.ts';
import { addSample, type Sample, speedOf } from './progress.ts';

/** Measures each file's speed over the same window as the total. A file has a speed only while its own bytes move. */
export function createSpeeds() {
  const samples = new Map<number, readonly Sample[]>();
  const take = (at: number, id: number, change: Change): Change => {
    if (change.status !== undefined) {
      samples.delete(id);
      return { ...change, speed: undefined };
    }
    // A file later in a request is measured from its first byte.
    if (!change.sent) return change;
    const taken = addSample(samples.get(id) ?? [], { at, bytes: change.sent });
    samples.set(id, taken);
    return { ...change, speed: speedOf(taken) ?? undefined };
  };
  return {
    /** Adds speeds, in bytes per second, to the changes. `at`: ms of a monotonic clock. */
    add: (at: number, changes: ReadonlyMap<number, Change>): ReadonlyMap<number, Change> =>
      new Map([...changes].map(([id, change]) => [id, take(at, id, change)])),
    /** Discards all measurements, after a lost connection. */
    forget: (): void => samples.clear(),
  };
}
