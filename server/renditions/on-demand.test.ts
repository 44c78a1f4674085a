/** Limits of the work that requests for renditions can cause. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import { NoSpace, RenditionUnavailable } from '../errors.ts';
import { createChecksumCache } from '../images/checksum-cache.ts';
import { thumbnailKey } from '../images/keys.ts';
import { sha256Of } from '../lib/sha256.ts';
import { temporaryFolder } from '../testing/app.ts';
import { picture } from '../testing/pictures.ts';
import { openTestStorage } from '../testing/storage.ts';
import { createRenditionsOnDemand } from './on-demand.ts';
import type { RebuildParts } from './rebuild-renditions.ts';

const rowOf = (number: number, thumbnailSha256: string | null = '0', ownerId = '') =>
  ({ id: `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`, thumbnailSha256, ownerId }) as ImageRow;

async function prepare(t: Test, rebuild: (row: ImageRow) => Promise<ImageRow>) {
  const storage = await openTestStorage(join(await temporaryFolder(t), 'files'));
  const adopted: unknown[] = [];
  const clock = { now: 0 };
  const parts = { storage, checksums: createChecksumCache(storage) } as unknown as RebuildParts;
  const renditions = createRenditionsOnDemand(parts, {
    rebuild: (_parts, row) => rebuild(row),
    adopt: async (_db, { id }, column, sha256) => void adopted.push([id, column, sha256]),
    now: () => clock.now,
  });
  return { storage, adopted, clock, ...renditions };
}

t.test('a failed rebuild is not retried for a minute', async (t) => {
  let tries = 0;
  const { ready, clock } = await prepare(t, async () => {
    tries += 1;
    throw new RenditionUnavailable();
  });
  for (clock.now of [0, 1, 59_999]) await t.rejects(ready(rowOf(1), 'thumbnail'), { code: 'RENDITION_UNAVAILABLE' });
  t.equal(tries, 1);
  await t.rejects(ready(rowOf(2), 'thumbnail'));
  t.equal(tries, 2, 'other images are not affected');
  clock.now = 60_000;
  await t.rejects(ready(rowOf(1), 'thumbnail'));
  t.equal(tries, 3);
});

t.test('a rebuild that failed on a full disk is retried after five seconds', async (t) => {
  let tries = 0;
  const { ready, clock } = await prepare(t, async () => {
    tries += 1;
    throw new NoSpace();
  });
  for (clock.now of [0, 4_999, 5_000]) await t.rejects(ready(rowOf(1), 'thumbnail'), { code: 'NO_SPACE' });
  t.equal(tries, 2);
});

t.test('one image is rebuilt at a time, and requests beyond the waiting limit get SERVER_BUSY', async (t) => {
  let running = 0;
  let highest = 0;
  let finish = () => {};
  const open = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { ready } = await prepare(t, async () => {
    running += 1;
    highest = Math.max(highest, running);
    await open;
    running -= 1;
    throw new RenditionUnavailable();
  });
  const codes: string[] = [];
  const calls = Array.from({ length: 400 }, (_, number) =>
    ready(rowOf(number, '0', `owner ${number % 10}`), 'thumbnail').catch((error) => {
      codes.push(error.code);
      // The refused requests settle first; the others still wait.
      if (error.code === 'SERVER_BUSY' && codes.length === 199) finish();
    }),
  );
  await Promise.all(calls);
  t.equal(highest, 1);
  t.equal(codes.filter((code) => code === 'SERVER_BUSY').length, 199);
  t.same(codes.slice(0, 199), new Array(199).fill('SERVER_BUSY'));
});

t.test('owners take turns, and the images of one are a quarter of those that wait', async (t) => {
  const made: string[] = [];
  const { ready } = await prepare(t, async ({ ownerId }) => {
    made.push(ownerId);
    throw new RenditionUnavailable();
  });
  const ask = (number: number, owner: string) =>
    ready(rowOf(number, '0', owner), 'thumbnail').catch(({ code }) => code);
  const flood = Array.from({ length: 60 }, (_, number) => ask(number, 'one'));
  const others = [100, 101].map((number) => ask(number, 'other'));
  const codes = await Promise.all(flood);
  t.equal(codes.filter((code) => code === 'SERVER_BUSY').length, 10);
  t.same(await Promise.all(others), ['RENDITION_UNAVAILABLE', 'RENDITION_UNAVAILABLE']);
  t.ok(made.lastIndexOf('other') < 6, made.slice(0, 8).join());
});

t.test('visitors of a link use its part, not that of the owner', async (t) => {
  const { ready } = await prepare(t, async () => {
    throw new RenditionUnavailable();
  });
  const ask = (number: number, payer?: string) =>
    ready(rowOf(number, '0', 'owner'), 'thumbnail', payer).catch(({ code }) => code);
  const visitors = Array.from({ length: 60 }, (_, number) => ask(number, 'share'));
  t.equal(await ask(100), 'RENDITION_UNAVAILABLE');
  t.equal((await Promise.all(visitors)).filter((code) => code === 'SERVER_BUSY').length, 10);
});

t.test('a complete rendition of an earlier version is kept, and its checksum is recorded', async (t) => {
  const { storage, adopted, ready } = await prepare(t, async () => {
    throw new Error('nothing should be rebuilt');
  });
  const bytes = await picture({ format: 'webp' });
  const row = rowOf(1, null);
  await storage.write(thumbnailKey(row), bytes);
  const sha256 = sha256Of(bytes);
  t.match(await ready(row, 'thumbnail'), { key: thumbnailKey(row), size: bytes.length, sha256 });
  t.same(adopted, [[row.id, 'thumbnailSha256', sha256]]);
});

t.test('a truncated or empty rendition of an earlier version is rebuilt', async (t) => {
  const made: string[] = [];
  const { storage, adopted, ready } = await prepare(t, async (row) => {
    made.push(row.id);
    throw new RenditionUnavailable();
  });
  const bytes = await picture({ format: 'webp' });
  const bad = [bytes.subarray(0, -3), Buffer.alloc(0), Buffer.from('RIFF'), await picture({ format: 'png' })];
  for (const [number, wrong] of bad.entries()) {
    await storage.write(thumbnailKey(rowOf(number)), wrong);
    await t.rejects(ready(rowOf(number, null), 'thumbnail'));
  }
  t.equal(made.length, bad.length);
  t.same(adopted, []);
});
