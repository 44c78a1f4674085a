/**
 * Renditions as their links ask for them: checked, and made anew where they are lost. Anybody may ask, so the work is
 * bounded: one picture at a time, once however many wait for it or share its bytes, and not again soon where it failed.
 */

import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { ImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal, RenditionUnavailable, ServerBusy } from '../errors.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { contentIdOf } from '../images/keys.ts';
import { lateNeed, type RenditionName, renditions } from '../images/rendition-names.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import type { Storage } from '../storage/storage.ts';

/** A rendition that was found good, in the version that stands there. */
export type Ready = { key: string; size: number; version: string; sha256: string; sealed: boolean };

type Parts = {
  storage: Pick<Storage, 'read'>;
  digests: ChecksumCache;
  /** Makes anew what follows from the original, see rebuild-renditions.ts; or what is made behind the answer. */
  rebuild: (row: ImageRow, late?: LateNeed) => Promise<ImageRow>;
  /** Writes down the digest of a rendition that an earlier version made without one. */
  adopt: (row: ImageRow, name: RenditionName, sha256: string) => Promise<void>;
  /** Milliseconds, from any start. */
  now?: () => number;
};

export type LateNeed = NonNullable<ReturnType<typeof lateNeed>>;

export type RenditionsOnDemand = ReturnType<typeof createRenditionsOnDemand>;

/** Images that may wait for their turn. */
const maxWaiting = 200;
/** Failures that are remembered. */
const maxFailures = 1_000;

/** Milliseconds before an image is tried again: a disk may be mended at any moment, a file hardly. */
const restAfter = (error: unknown) =>
  error instanceof RenditionUnavailable || error instanceof DamagedOriginal ? 60_000 : 5_000;

/** Of one content: what is made together. */
const workOf = (row: ImageRow, late?: LateNeed) =>
  `${contentIdOf(row)}${late ? (late.avif ? ' avif' : ' screen') : ''}`;

export function createRenditionsOnDemand({ storage, digests, rebuild, adopt, now = Date.now }: Parts) {
  const inFlight = createSingleFlight<ImageRow>();
  const oneByOne = pLimit(1);
  const failures = new LRUCache<string, { error: unknown; until: number }>({ max: maxFailures });

  async function attempt(row: ImageRow, late?: LateNeed): Promise<ImageRow> {
    try {
      return await oneByOne(() => rebuild(row, late));
    } catch (error) {
      failures.set(workOf(row, late), { error, until: now() + restAfter(error) });
      throw error;
    }
  }

  /** @throws what the rebuild throws, also for a while afterwards; ServerBusy where too many wait */
  async function renew(row: ImageRow, late?: LateNeed): Promise<ImageRow> {
    const failure = failures.get(workOf(row, late));
    if (failure && failure.until > now()) throw failure.error;
    return inFlight.share(workOf(row, late), async () => {
      if (oneByOne.pendingCount >= maxWaiting) throw Object.assign(new ServerBusy('10 seconds'), { retryAfter: 10 });
      return attempt(row, late);
    });
  }

  /** Whether a file that nobody has taken the digest of yet is a whole WebP, as far as its first bytes tell. */
  async function looksWhole(key: string, size: number, sealed: boolean): Promise<boolean> {
    if (size < 12) return false;
    const stream = await storage.read(key, { start: 0, end: 11 }, sealed);
    const head = Buffer.concat((await stream?.toArray()) ?? []);
    if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return false;
    return head.toString('latin1', 8, 12) === 'WEBP' && head.readUInt32LE(4) + 8 === size;
  }

  async function find(row: ImageRow, name: RenditionName): Promise<Ready | undefined> {
    const key = renditions[name].keyOf(row);
    const wanted = row[renditions[name].digest];
    if (wanted === null && lateNeed(row, name)) return undefined;
    const sealed = row.renditionsSealed;
    const found = await digests.read(key, wanted ?? undefined, sealed);
    if (!found) return undefined;
    if (wanted === null) {
      if (!(await looksWhole(key, found.size, sealed))) return undefined;
      await adopt(row, name, found.sha256);
    } else if (found.sha256 !== wanted) return undefined;
    return { ...found, key, sealed };
  }

  return {
    renew,

    /** @throws RenditionUnavailable, DamagedOriginal, ServerBusy; what the storage throws */
    async ready(row: ImageRow, name: RenditionName): Promise<Ready> {
      const ready = (await find(row, name)) ?? (await find(await renew(row, lateNeed(row, name)), name));
      if (!ready) throw new RenditionUnavailable();
      return ready;
    },

    /** Resolves once no picture is worked on. */
    settled: inFlight.settled,
  };
}
