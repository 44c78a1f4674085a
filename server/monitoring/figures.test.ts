/** Figures of the collection while the database or storage hangs or fails. */
import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { createFigures } from './figures.ts';
import type { Counts, Sampled } from './queries.ts';

const counts = (images: number): Counts => ({
  accounts: 1,
  images,
  originalBytes: 900,
  uploads: 0,
  renditionsDue: 0,
  auditLogBytes: 0,
});
const image: Sampled = { id: 'a', contentId: null, extension: 'png' };
const minute = 60_000;

/** Replaceable sources and a fake clock. */
function scene(t: Test) {
  const warnings: string[] = [];
  const parts = {
    time: 0,
    counts: async () => counts(3),
    size: async (): Promise<number | undefined> => 10,
    sized: 0,
  };
  const figures = createFigures({
    readCounts: () => parts.counts(),
    readJobs: async () => [],
    sample: async () => [image],
    keysOf: ({ id }) => [{ kind: 'thumbnails', key: id }],
    sizeOf() {
      parts.sized += 1;
      return parts.size();
    },
    log: { warn: (_details, message) => void warnings.push(message) },
    now: () => parts.time,
  });
  t.teardown(() => figures.close());
  return { parts, figures, warnings };
}

const never = () => new Promise<never>(() => undefined);

/** The sample is taken after an answer, so a later one contains it. */
const thumbnails = (figures: ReturnType<typeof createFigures>): Promise<number> =>
  eventually('the bytes of the thumbnails', async () => (await figures.read())?.bytes.thumbnails);

t.test('figures of a hanging database are the previous ones', async (t) => {
  const { parts, figures } = scene(t);
  parts.counts = never;
  t.equal(await figures.read(), undefined, 'no figures yet');

  const other = scene(t);
  t.match(await other.figures.read(), { images: 3 });
  other.parts.time += minute;
  other.parts.counts = never;
  t.match(await other.figures.read(), { images: 3 });
});

t.test('figures are cached for half a minute', async (t) => {
  const { parts, figures } = scene(t);
  t.match(await figures.read(), { images: 3 });
  parts.counts = async () => counts(4);
  parts.time += minute / 2 - 1;
  t.match(await figures.read(), { images: 3 });
  parts.time += 1;
  t.match(await figures.read(), { images: 4 });
});

t.test('a hanging storage does not delay the figures', async (t) => {
  const { parts, figures } = scene(t);
  parts.size = never;
  t.match(await figures.read(), { images: 3, bytes: { originals: 900 } });
  t.match(await figures.read(), { images: 3 });
  t.equal(parts.sized, 1, 'the storage is not queried again meanwhile');
});

t.test('a failed sample is repeated after a minute, and a successful one after an hour', async (t) => {
  const { parts, figures, warnings } = scene(t);
  parts.size = () => Promise.reject(new Error('gone'));
  await eventually('a warning', async () => {
    await figures.read();
    return warnings.length > 0;
  });
  t.same(warnings, ['the figures for /metrics could not be renewed']);
  parts.size = async () => 10;
  parts.time += minute;
  t.equal(await thumbnails(figures), 30);
  parts.size = async () => 20;
  parts.time += 59 * minute;
  t.equal(await thumbnails(figures), 30);
  t.equal(parts.sized, 2);
  parts.time += minute;
  await eventually('the new sample', async () => (await thumbnails(figures)) === 60);
  t.equal(parts.sized, 3);
});

t.test('failures after close() are not logged', async (t) => {
  const { parts, figures, warnings } = scene(t);
  figures.close();
  parts.counts = () => Promise.reject(new Error('closed'));
  t.equal(await figures.read(), undefined);
  t.same(warnings, []);
});
