/**
 * What the thread that opens segments shares with the one that asks it to: memory alone. A message for each segment would
 * cost as much as to open it (docs/decisions, sealed objects).
 */
import type { SegmentKey } from '../stream-format.ts';

/** Bytes of a segment at most. */
export const SLOT_SIZE = 2 ** 18;
/** Segments at once: 16 MB in all, of which the system gives only what was used. */
export const SLOTS = 64;

/** Where a segment stands, and then its plaintext: in the slot's first bytes. */
export type Job = { key: SegmentKey; segment: number; isLast: boolean; length: number };

/** The threads' common memory. */
export type Shared = { slots: SharedArrayBuffer; jobs: SharedArrayBuffer; rings: SharedArrayBuffer };

const JOB_SIZE = 64;
/** In a job's bytes: the lengths of its segment and of its key, the number, whether it is the last, the nonce's beginning, the key. */
const at = { length: 0, segment: 4, isLast: 8, keySize: 9, noncePrefix: 16, key: 32 };
const NONCE_PREFIX_SIZE = 7;

/** In the numbers of `rings`: how many were asked for and done so far, whether the asker waits to be woken; then the slots, each ring in its turn. */
const ASKED = 0;
const DONE = 1;
const ASLEEP = 2;
const asked = (count: number) => 3 + (count % SLOTS);
const done = (count: number) => 3 + SLOTS + (count % SLOTS);

export const createShared = (): Shared => ({
  slots: new SharedArrayBuffer(SLOTS * SLOT_SIZE),
  jobs: new SharedArrayBuffer(SLOTS * JOB_SIZE),
  rings: new SharedArrayBuffer((3 + 2 * SLOTS) * Int32Array.BYTES_PER_ELEMENT),
});

function viewsOf({ slots, jobs, rings }: Shared) {
  const allSlots = Buffer.from(slots);
  const allJobs = Buffer.from(jobs);
  return {
    rings: new Int32Array(rings),
    slot: (slot: number, length: number) => allSlots.subarray(slot * SLOT_SIZE, slot * SLOT_SIZE + length),
    job: (slot: number) => allJobs.subarray(slot * JOB_SIZE, (slot + 1) * JOB_SIZE),
  };
}

export type Asking = ReturnType<typeof createAsking>;

/** Of the one that asks. A slot is asked for once at a time, so no ring is ever over-full. */
export function createAsking(shared: Shared) {
  const { rings, slot: bytesOf, job: jobOf } = viewsOf(shared);
  let asks = 0;
  let heard = 0;
  return {
    bytesOf,

    /** Hands a slot over, until it is among those that are done. */
    ask(slot: number, { key, segment, isLast, length }: Job): void {
      const job = jobOf(slot);
      job.writeUInt32LE(length, at.length);
      job.writeUInt32LE(segment, at.segment);
      job[at.isLast] = isLast ? 1 : 0;
      job[at.keySize] = key.key.length;
      job.set(key.noncePrefix, at.noncePrefix);
      job.set(key.key, at.key);
      rings[asked(asks)] = slot;
      asks += 1;
      Atomics.store(rings, ASLEEP, 1);
      Atomics.store(rings, ASKED, asks | 0);
      Atomics.notify(rings, ASKED);
    },

    /** Tells of each that is done whether it was opened. For what is done later there will be a message (`opened`). */
    hear(tell: (slot: number, isOpened: boolean) => void): void {
      for (;;) {
        while (Atomics.load(rings, DONE) !== (heard | 0)) {
          const answer = rings[done(heard)] ?? 0;
          heard += 1;
          tell(answer < 0 ? ~answer : answer, answer >= 0);
        }
        if (heard === asks) return;
        Atomics.store(rings, ASLEEP, 1);
        if (Atomics.load(rings, DONE) === (heard | 0)) return;
      }
    },
  };
}

/** Of the one that opens. */
export function createOpening(shared: Shared) {
  const { rings, slot: bytesOf, job: jobOf } = viewsOf(shared);
  let taken = 0;
  let answers = 0;
  return {
    /** Waits for it, the whole thread does. */
    next(): { slot: number; job: Job; bytes: Buffer } {
      while (Atomics.load(rings, ASKED) === (taken | 0)) Atomics.wait(rings, ASKED, taken | 0);
      const slot = rings[asked(taken)] ?? 0;
      taken += 1;
      const job = jobOf(slot);
      const keySize = job[at.keySize];
      const length = job.readUInt32LE(at.length);
      const key: SegmentKey = {
        algorithm: keySize === 16 ? 'aes-128-gcm' : 'aes-256-gcm',
        key: job.subarray(at.key, at.key + (keySize ?? 0)),
        noncePrefix: job.subarray(at.noncePrefix, at.noncePrefix + NONCE_PREFIX_SIZE),
      };
      return {
        slot,
        job: { key, segment: job.readUInt32LE(at.segment), isLast: job[at.isLast] === 1, length },
        bytes: bytesOf(slot, length),
      };
    },

    /** @returns whether the asker waits for a message */
    opened(slot: number, isOpened: boolean): boolean {
      rings[done(answers)] = isOpened ? slot : ~slot;
      answers += 1;
      Atomics.store(rings, DONE, answers | 0);
      return Atomics.exchange(rings, ASLEEP, 0) === 1;
    },
  };
}
