import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import t from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { createStorage } from '../create-storage.ts';
import { createDiskPartials } from '../disk/partials.ts';
import type { ObjectStore } from '../object-store.ts';
import { createStaging } from '../staging.ts';
import { createReserve } from './reserve.ts';
import { withinReserve } from './within-reserve.ts';

async function storageWith(t: Parameters<typeof temporaryFolder>[0], free: number) {
  const folder = await temporaryFolder(t);
  const staging = createStaging(folder, 1n);
  await staging.open();
  const partials = createDiskPartials(folder, async () => {});
  const storage = createStorage({ staging, objects: {} as ObjectStore, partials, keepsStaged: false });
  // The reserve of a 1 MB disk is a tenth.
  const reserve = createReserve(folder, async () => ({ bavail: 100_000 + free, blocks: 1_000_000, bsize: 1 }));
  return withinReserve(storage, reserve);
}

t.test('a file is accepted up to the reserve and refused beyond it', async (t) => {
  const storage = await storageWith(t, 1500);
  t.equal((await storage.stage(Readable.from([Buffer.alloc(600), Buffer.alloc(400)]))).size, 1000);
  await t.rejects(storage.stage(Readable.from([Buffer.alloc(400), Buffer.alloc(400)])), { code: 'NO_SPACE' });
});

t.test('an error of the source passes through', async (t) => {
  const storage = await storageWith(t, 1500);
  const source = new PassThrough();
  const staged = storage.stage(source);
  source.destroy(new Error('the client has gone'));
  await t.rejects(staged, { message: 'the client has gone' });
});

t.test('an upload’s piece is accepted up to the reserve and refused beyond it', async (t) => {
  const { partials } = await storageWith(t, 1500);
  const file = await partials.open({ id: randomUUID(), received: 0, pieces: [] });
  await file.write(Buffer.alloc(1000));
  await t.rejects(file.write(Buffer.alloc(1000)), { code: 'NO_SPACE' });
  await file.close();
});
