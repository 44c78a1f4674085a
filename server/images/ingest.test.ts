/** The order of bytes and rows, where a step fails. */

import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import { openDiskStorage } from '../storage/disk.ts';
import { temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { picture } from '../testing/pictures.ts';
import { until } from '../testing/socket.ts';
import { createDecoderPool } from './decoder/pool.ts';
import { createIngest } from './ingest.ts';
import { createLateUndo } from './undo.ts';

const limits = { maxPixels: 1e6, maxHeavyPixels: 1e6, timeoutMs: 30_000 };
const quiet = { warn: () => undefined } as never;

async function prepare(
  t: Test,
  insertImages: (rows: NewImageRow[]) => Promise<ImageRow[]>,
  deleteRows = async () => {},
) {
  const dataDir = await temporaryFolder(t);
  const storage = await openDiskStorage(join(dataDir, 'files'), { alone: true });
  const decoder = createDecoderPool({ limits, workers: 1 });
  const lateUndo = createLateUndo({ deleteRows, log: quiet, wait: 5 });
  t.teardown(() => decoder.close());
  t.teardown(() => lateUndo.close());
  const isUndecided = (error: unknown) => (error as Error).message === 'lost';
  const ingest = createIngest({ storage, decoder, insertImages, isUndecided, lateUndo });
  const staged = await ingest.receive(Readable.from([await picture()]));
  const accepted = await ingest.inspect(staged, 'a.png');
  return { dataDir, keepAll: () => ingest.keepAll('owner', [accepted]) };
}

t.test('the bytes stand before the row is written', async (t) => {
  let seen: string[] = [];
  const { dataDir, keepAll } = await prepare(t, async () => {
    seen = await storedFiles(dataDir);
    return [];
  });
  await keepAll();
  t.match(seen, [/^originals/, /^thumbnails/]);
});

t.test('where the row is refused, the bytes go', async (t) => {
  const { dataDir, keepAll } = await prepare(t, async () => {
    throw new Error('refused');
  });
  await t.rejects(keepAll(), { message: 'refused' });
  t.same(await storedFiles(dataDir), []);
});

t.test('where it is open whether the row was written, the bytes stay until the database has answered', async (t) => {
  let answers = 0;
  const { dataDir, keepAll } = await prepare(
    t,
    async () => {
      throw new Error('lost');
    },
    async () => {
      answers += 1;
      t.equal((await storedFiles(dataDir)).length, 2, 'still there');
      if (answers < 3) throw new Error('still down');
    },
  );
  await t.rejects(keepAll(), { message: 'lost' });
  t.equal((await storedFiles(dataDir)).length, 2);
  await until(async () => (await storedFiles(dataDir)).length === 0);
  t.equal(answers, 3);
});
