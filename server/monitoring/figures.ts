/** Figures that cost something to find out: asked for by scrapes, and kept for a while, so that scrapes cost nothing. */
import type { Counts, JobCount, Sampled } from './queries.ts';

export type Kind = 'originals' | 'thumbnails' | 'screens';
export type Figures = Counts & { jobs: JobCount[]; bytes: Partial<Record<Kind, number>> };

type Parts = {
  readCounts: () => Promise<Counts>;
  readJobs: () => Promise<JobCount[]>;
  sample: (images: number, wanted: number) => Promise<Sampled[]>;
  /** Of what the server has made of an image, the keys by kind. */
  keysOf: (image: Sampled) => { kind: Kind; key: string }[];
  sizeOf: (key: string) => Promise<number | undefined>;
  log: { warn(details: object, message: string): void };
};

const second = 1000;
const countsLast = 30 * second;
/** Each sample asks the storage some hundred times. */
const sampleLasts = 3600 * second;
const sampled = 200;

/** What `work` answers, at most once in so many milliseconds; what it answered before where it fails. */
function kept<T>(
  lasts: number,
  work: () => Promise<T>,
  onFailure: (error: unknown) => void,
): () => Promise<T | undefined> {
  let value: T | undefined;
  let since = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const renew = async () => {
    try {
      value = await work();
    } catch (error) {
      onFailure(error);
    } finally {
      // Also after a failure: who is in trouble is not asked all the time.
      since = performance.now();
      running = undefined;
    }
  };
  return async () => {
    if (performance.now() - since >= lasts) running ??= renew();
    await running;
    return value;
  };
}

export function createFigures({
  readCounts,
  readJobs,
  sample,
  keysOf,
  sizeOf,
  log,
}: Parts): () => Promise<Figures | undefined> {
  const failed = (err: unknown) => log.warn({ err }, 'the figures for /metrics could not be renewed');
  const readAll = async () => {
    const [found, jobs] = await Promise.all([readCounts(), readJobs()]);
    return { ...found, jobs };
  };
  const counts = kept(countsLast, readAll, failed);

  /** Bytes of an image, on average; where images share bytes, the one that brought them has them. */
  async function measure(): Promise<Partial<Record<Kind, number>>> {
    const images = (await counts())?.images ?? 0;
    const some = await sample(images, sampled);
    const sums: Partial<Record<Kind, number>> = { thumbnails: 0, screens: 0 };
    for (const image of some) {
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

  const averages = kept(sampleLasts, measure, failed);

  return async () => {
    const now = await counts();
    if (!now) return undefined;
    const means = Object.entries((await averages()) ?? {});
    const renditions = means.map(([kind, mean]) => [kind, Math.round(mean * now.images)]);
    return { ...now, bytes: { originals: now.originalBytes, ...Object.fromEntries(renditions) } };
  };
}
