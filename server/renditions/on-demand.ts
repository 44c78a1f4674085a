/** Links are public, so rebuilding is limited: one picture at a time, owners and links in turn, once for all requests, and a pause after failures. */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { ImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal, RenditionUnavailable, serverBusy } from '../errors.ts';
import { adoptChecksum } from '../images/content/queries.ts';
import { contentIdOf } from '../images/keys.ts';
import { type BackgroundNeed, backgroundNeed, type RenditionName, renditions } from '../images/rendition-names.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import { type RebuildParts, rebuildMissing } from './rebuild-renditions.ts';

export type Ready = { key: string; size: number; version: string; sha256: string; sealed: boolean };

type Options = { now?: () => number; rebuild?: typeof rebuildMissing; adopt?: typeof adoptChecksum };

export type RenditionsOnDemand = ReturnType<typeof createRenditionsOnDemand>;

const maxWaiting = 200;
/** Images among them that one account, or the visitors of one link, wait for. */
const maxOfOne = maxWaiting / 4;
const maxFailures = 1_000;

/** Milliseconds before a retry. Disks recover sooner than damaged files. */
const restAfter = (error: unknown) =>
  error instanceof RenditionUnavailable || error instanceof DamagedOriginal ? 60_000 : 5_000;

/** The single-flight key of renditions that are made together. */
const workOf = (row: ImageRow, need?: BackgroundNeed) =>
  `${contentIdOf(row)}${need ? (need.avif ? ' avif' : ' screen') : ''}`;

export function createRenditionsOnDemand(
  parts: RebuildParts,
  { now = Date.now, rebuild = rebuildMissing, adopt = adoptChecksum }: Options = {},
) {
  const { db, storage, checksums } = parts;
  const inFlight = createSingleFlight<ImageRow>();
  const oneByOne = pLimit(1);
  const inTurn = createKeyedMutex();
  let waiting = 0;
  const failures = new LRUCache<string, { error: unknown; until: number }>({ max: maxFailures });

  async function attempt(row: ImageRow, need: BackgroundNeed | undefined, payer: string): Promise<ImageRow> {
    waiting += 1;
    try {
      return await inTurn(payer, () => oneByOne(() => rebuild(parts, row, need)));
    } catch (error) {
      failures.set(workOf(row, need), { error, until: now() + restAfter(error) });
      throw error;
    } finally {
      waiting -= 1;
    }
  }

  /**
   * @param payer whose part it uses: the owner, or the link whose visitors wait
   * @throws errors of the rebuild, also for a while afterwards; ServerBusy if too many images wait
   */
  async function renew(row: ImageRow, need?: BackgroundNeed, payer = row.ownerId): Promise<ImageRow> {
    const failure = failures.get(workOf(row, need));
    if (failure && failure.until > now()) throw failure.error;
    return inFlight.share(workOf(row, need), async () => {
      if (waiting > maxWaiting || inTurn.inside(payer) >= maxOfOne) throw serverBusy(10);
      return attempt(row, need, payer);
    });
  }

  /** Whether a file without a recorded checksum is a complete WebP by its header. */
  async function looksWhole(key: string, size: number, sealed: boolean): Promise<boolean> {
    if (size < 12) return false;
    const stream = await storage.read(key, { start: 0, end: 11 }, sealed);
    const head = Buffer.concat((await stream?.toArray()) ?? []);
    if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return false;
    return head.toString('latin1', 8, 12) === 'WEBP' && head.readUInt32LE(4) + 8 === size;
  }

  async function find(row: ImageRow, name: RenditionName): Promise<Ready | undefined> {
    const key = renditions[name].keyOf(row);
    const wanted = row[renditions[name].checksum];
    if (wanted === null && backgroundNeed(row, name)) return undefined;
    const sealed = row.renditionsSealed;
    const found = await checksums.read(key, wanted ?? undefined, sealed);
    if (!found) return undefined;
    if (wanted === null) {
      if (!(await looksWhole(key, found.size, sealed))) return undefined;
      await adopt(db, row, renditions[name].checksum, found.sha256);
    } else if (found.sha256 !== wanted) return undefined;
    return { ...found, key, sealed };
  }

  return {
    renew,

    /** @throws RenditionUnavailable, DamagedOriginal, ServerBusy; storage errors */
    async ready(row: ImageRow, name: RenditionName, payer?: string): Promise<Ready> {
      const ready = (await find(row, name)) ?? (await find(await renew(row, backgroundNeed(row, name), payer), name));
      if (!ready) throw new RenditionUnavailable();
      return ready;
    },

    settled: inFlight.settled,
  };
}
