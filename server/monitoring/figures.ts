/** Figures of the whole collection, from a cache while the database or storage hangs. */
import { cachedGauge } from './cached-gauge.ts';
import type { Counts, JobCount, Sampled } from './queries.ts';

type Kind = 'originals' | 'thumbnails' | 'screens';
export type Figures = Counts & { jobs: JobCount[]; bytes: Partial<Record<Kind, number>> };

type Parts = {
  readCounts: () => Promise<Counts>;
  readJobs: () => Promise<JobCount[]>;
  sample: (images: number, wanted: number) => Promise<Sampled[]>;
  /** Keys of the renditions of an image, by kind. */
  keysOf: (image: Sampled) => { kind: Kind; key: string }[];
  sizeOf: (key: string) => Promise<number | undefined>;
  log: { warn(details: object, message: string): void };
  /** Milliseconds. */
  now?: () => number;
};

export type FiguresOfAll = {
  /** Undefined before the first answer of the database. */
  read(): Promise<Figures | undefined>;
  /** Ends running work early, without warnings. */
  close(): void;
};

const second = 1000;
const countsTtl = 30 * second;
/** Each sample makes several hundred storage calls. */
const sampleTtl = 3600 * second;
const sampled = 200;

/** Milliseconds that a scrape waits for the counts. It does not wait for a sample, which the next scrape contains. */
const maxWait = 0.5 * second;

export function createFigures({ readCounts, readJobs, sample, keysOf, sizeOf, log, now }: Parts): FiguresOfAll {
  let isClosed = false;
  const onFailure = (err: unknown) => {
    if (!isClosed) log.warn({ err }, 'the figures for /metrics could not be renewed');
  };
  const options = { onFailure, ...(now ? { now } : {}) };

  const readAll = async () => {
    const [found, jobs] = await Promise.all([readCounts(), readJobs()]);
    return { ...found, jobs };
  };
  const counts = cachedGauge(readAll, { ...options, ttl: countsTtl });

  /** Average bytes of an image; shared bytes count for the first image only. */
  async function measure(): Promise<Partial<Record<Kind, number>>> {
    const some = await sample((await counts(0))?.images ?? 0, sampled);
    const sums: Partial<Record<Kind, number>> = { thumbnails: 0, screens: 0 };
    for (const image of some) {
      if (isClosed) break;
      if (image.contentId !== null) continue;
      const all = keysOf(image).map(async ({ kind, key }) => {
        const size = (await sizeOf(key)) ?? 0;
        sums[kind] = (sums[kind] ?? 0) + size;
      });
      await Promise.all(all);
    }
    const each = Object.entries(sums).map(([kind, sum]) => [kind, some.length === 0 ? 0 : sum / some.length]);
    return Object.fromEntries(each);
  }

  const averages = cachedGauge(measure, { ...options, ttl: sampleTtl });

  return {
    async read() {
      const found = await counts(maxWait);
      if (!found) return undefined;
      const means = Object.entries((await averages(0)) ?? {});
      const renditions = means.map(([kind, mean]) => [kind, Math.round(mean * found.images)]);
      return { ...found, bytes: { originals: found.originalBytes, ...Object.fromEntries(renditions) } };
    },
    close() {
      isClosed = true;
    },
  };
}
