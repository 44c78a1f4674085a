/**
 * Memory shared with the decryption worker. A message per segment would cost as much as decrypting it (docs/decisions,
 * sealed objects).
 */
import type { SegmentKey } from '../stream-format.ts';

/** Maximum bytes of a segment. */
export const SLOT_SIZE = 2 ** 18;
/** Concurrent segments: 16 MB in total, allocated by the system on first use. */
export const SLOTS = 64;

/** An open local file and an offset in it. */
export type Place = { descriptor: number; at: number };

export type Job = {
  key: SegmentKey;
  segment: number;
  isLast: boolean;
  /** Bytes of the sealed segment. */
  length: number;
  /** Where the thread reads it. If absent, the sealed bytes are already in the slot, where the plaintext goes too. */
  place?: Place;
};

/** `isSlow`: reads take the thread long. */
export type Answer = { isOpened: boolean; isSlow: boolean };

export type Shared = { slots: SharedArrayBuffer; jobs: SharedArrayBuffer; rings: SharedArrayBuffer };

const JOB_SIZE = 80;
/** Offsets in a job. A negative descriptor means none. */
const at = { length: 0, segment: 4, isLast: 8, keySize: 9, noncePrefix: 16, descriptor: 24, place: 32, key: 40 };
const NONCE_PREFIX_SIZE = 7;

/** Indexes in `rings`: jobs sent, jobs done, whether the main thread wants a message; then two rings of slots. */
const ASKED = 0;
const DONE = 1;
const ASLEEP = 2;
const asked = (count: number) => 3 + (count % SLOTS);
const done = (count: number) => 3 + SLOTS + (count % SLOTS);

/** Flags next to the number of a finished slot. */
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

/** The main thread's side. Each slot has at most one job, so the rings never overflow. */
export function createAsking(shared: Shared) {
  const { rings, slot: bytesOf, job: jobOf } = viewsOf(shared);
  let asks = 0;
  let heard = 0;
  return {
    bytesOf,

    /** Sends a job; its slot belongs to the thread until it is done. */
    ask(slot: number, job: Job): void {
      writeJob(jobOf(slot), job);
      rings[asked(asks)] = slot;
      asks += 1;
      Atomics.store(rings, ASLEEP, 1);
      Atomics.store(rings, ASKED, asks | 0);
      Atomics.notify(rings, ASKED);
    },

    /** Reports each finished job. Later ones are signalled by a message (`answer`). */
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

/** The worker's side. */
export function createOpening(shared: Shared) {
  const { rings, slot: bytesOf, job: jobOf } = viewsOf(shared);
  let taken = 0;
  let answers = 0;
  return {
    /** Blocks the thread until there is a job. */
    next(): { slot: number; job: Job; bytes: Buffer } {
      while (Atomics.load(rings, ASKED) === (taken | 0)) Atomics.wait(rings, ASKED, taken | 0);
      const slot = rings[asked(taken)] ?? 0;
      taken += 1;
      const job = readJob(jobOf(slot));
      return { slot, job, bytes: bytesOf(slot, job.length) };
    },

    /** @returns whether the main thread wants a message */
    answer(slot: number, { isOpened, isSlow }: Answer): boolean {
      rings[done(answers)] = slot | (isOpened ? OPENED : 0) | (isSlow ? SLOW : 0);
      answers += 1;
      Atomics.store(rings, DONE, answers | 0);
      return Atomics.exchange(rings, ASLEEP, 0) === 1;
    },
  };
}
