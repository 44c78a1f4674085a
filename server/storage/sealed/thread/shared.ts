/**
 * What the thread that opens segments shares with the one that asks it to: memory alone. A message for each segment would
 * cost as much as to open it (docs/decisions, sealed objects).
 */
import type { SegmentKey } from '../stream-format.ts';

/** Bytes of a segment at most. */
export const SLOT_SIZE = 2 ** 18;
/** Segments at once: 16 MB in all, of which the system gives only what was used. */
export const SLOTS = 64;

/** In a file of this machine that is open, with so many bytes of it before. */
export type Backend = { descriptor: number; at: number };

export type Job = {
  key: SegmentKey;
  segment: number;
  isLast: boolean;
  /** Bytes of the sealed segment. */
  length: number;
  /** From where the thread reads it; without that it stands in its slot already, as the plaintext will: in the first bytes. */
  place?: Backend;
};

/** `isSlow`: reading takes the thread long. */
export type Answer = { isOpened: boolean; isSlow: boolean };

/** The threads' common memory. */
export type Shared = { slots: SharedArrayBuffer; jobs: SharedArrayBuffer; rings: SharedArrayBuffer };

const JOB_SIZE = 80;
/** In a job's bytes. A descriptor below zero is none. */
const at = { length: 0, segment: 4, isLast: 8, keySize: 9, noncePrefix: 16, descriptor: 24, place: 32, key: 40 };
const NONCE_PREFIX_SIZE = 7;

/** In the numbers of `rings`: how many were asked for and done so far, whether the asker waits to be woken; then the slots, each ring in its turn. */
const ASKED = 0;
const DONE = 1;
const ASLEEP = 2;
const asked = (count: number) => 3 + (count % SLOTS);
const done = (count: number) => 3 + SLOTS + (count % SLOTS);

/** Beside the number of a slot that is done. */
const OPENED = 2 ** 8;
const SLOW = 2 ** 9;

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

function writeJob(into: Buffer, { key, segment, isLast, length, place }: Job): void {
  into.writeUInt32LE(length, at.length);
  into.writeUInt32LE(segment, at.segment);
  into[at.isLast] = isLast ? 1 : 0;
  into[at.keySize] = key.key.length;
  into.set(key.noncePrefix, at.noncePrefix);
  into.set(key.key, at.key);
  into.writeInt32LE(place?.descriptor ?? -1, at.descriptor);
  into.writeDoubleLE(place?.at ?? 0, at.place);
}

function readJob(from: Buffer): Job {
  const keySize = from[at.keySize] ?? 0;
  const descriptor = from.readInt32LE(at.descriptor);
  return {
    key: {
      algorithm: keySize === 16 ? 'aes-128-gcm' : 'aes-256-gcm',
      key: from.subarray(at.key, at.key + keySize),
      noncePrefix: from.subarray(at.noncePrefix, at.noncePrefix + NONCE_PREFIX_SIZE),
    },
    segment: from.readUInt32LE(at.segment),
    isLast: from[at.isLast] === 1,
    length: from.readUInt32LE(at.length),
    ...(descriptor >= 0 && { place: { descriptor, at: from.readDoubleLE(at.place) } }),
  };
}

/** Of the one that asks. A slot is asked for once at a time, so no ring is ever over-full. */
export function createAsking(shared: Shared) {
  const { rings, slot: bytesOf, job: jobOf } = viewsOf(shared);
  let asks = 0;
  let heard = 0;
  return {
    bytesOf,

    /** Hands a slot over, until it is among those that are done. */
    ask(slot: number, job: Job): void {
      writeJob(jobOf(slot), job);
      rings[asked(asks)] = slot;
      asks += 1;
      Atomics.store(rings, ASLEEP, 1);
      Atomics.store(rings, ASKED, asks | 0);
      Atomics.notify(rings, ASKED);
    },

    /** Tells of each that is done. For what is done later there will be a message (`answer`). */
    hear(tell: (slot: number, answer: Answer) => void): void {
      for (;;) {
        while (Atomics.load(rings, DONE) !== (heard | 0)) {
          const answer = rings[done(heard)] ?? 0;
          heard += 1;
          tell(answer % OPENED, { isOpened: (answer & OPENED) !== 0, isSlow: (answer & SLOW) !== 0 });
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
  let isHealthy = 0;
  return {
    /** Waits for it, the whole thread does. */
    next(): { slot: number; job: Job; bytes: Buffer } {
      while (Atomics.load(rings, ASKED) === (taken | 0)) Atomics.wait(rings, ASKED, taken | 0);
      const slot = rings[asked(taken)] ?? 0;
      taken += 1;
      const job = readJob(jobOf(slot));
      return { slot, job, bytes: bytesOf(slot, job.length) };
    },

    /** @returns whether the asker waits for a message */
    answer(slot: number, { isOpened, isSlow }: Answer): boolean {
      rings[done(isHealthy)] = slot | (isOpened ? OPENED : 0) | (isSlow ? SLOW : 0);
      isHealthy += 1;
      Atomics.store(rings, DONE, isHealthy | 0);
      return Atomics.exchange(rings, ASLEEP, 0) === 1;
    },
  };
}
