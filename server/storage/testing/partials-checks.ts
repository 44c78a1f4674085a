import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Counted } from '../partials.ts';
import type { Storage } from '../storage.ts';
import { away, type Checks, large, type Sample } from './sample.ts';

const none = () => ({ id: randomUUID(), received: 0, pieces: [] as string[] });
const contentOf = async ({ partials }: Storage, upload: Counted) => buffer(await partials.read(upload));

async function append({ partials }: Storage, upload: Counted, bytes: Buffer): Promise<Counted> {
  const file = await partials.open(upload);
  await file.write(bytes);
  const pieces = await file.sync();
  await file.close();
  return { ...upload, received: upload.received + bytes.length, pieces };
}

/** What every storage does with resumable uploads. */
export const partialsChecks: Checks<Sample> = {
  'a resumable upload continues in another process and is complete': async (t, { storage, second }) => {
    const other = await second();
    let upload: Counted = none();
    t.ok(await storage.partials.isThere(upload));
    t.equal((await contentOf(storage, upload)).length, 0);
    const ends = [1, 2, 70_000, 1_000_000, large.length];
    for (const [index, end] of ends.entries()) {
      upload = await append(index % 2 === 0 ? storage : other, upload, large.subarray(upload.received, end));
      t.ok((await contentOf(other, upload)).equals(large.subarray(0, end)), `${end} bytes`);
      t.ok(await storage.partials.isThere(upload));
    }
    t.same([...(await other.partials.ids())], [upload.id]);
    await other.partials.remove(upload.id);
    t.equal((await storage.partials.ids()).size, 0);
    t.equal(await storage.partials.isThere(upload), false);
    await other.partials.remove(upload.id);
  },

  'unrecorded bytes of a concurrent writer are never read': async (t, { storage, second }) => {
    const upload = await append(storage, none(), Buffer.from('begun '));
    const other = await second();
    const files = [await storage.partials.open(upload), await other.partials.open(upload)];
    const texts = ['the loser wrote this, and more of it', 'the winner this'];
    await Promise.all(files.map((file, index) => file.write(Buffer.from(texts[index] ?? ''))));
    const [lost, won] = await Promise.all(files.map((file) => file.sync()));
    await Promise.all(files.map((file) => file.close()));
    const received = upload.received + (texts[1]?.length ?? 0);
    const counted = { ...upload, received, pieces: won ?? [] };
    t.notSame(lost, won);
    t.equal((await contentOf(storage, counted)).toString(), 'begun the winner this');
    const whole = await append(storage, counted, Buffer.from(', and the end'));
    t.equal((await contentOf(other, whole)).toString(), 'begun the winner this, and the end');
    await storage.partials.remove(upload.id);
    t.equal((await storage.partials.ids()).size, 0, 'unrecorded pieces are removed too');
  },

  'all syncs of a writer count, and unsynced bytes do not': async (t, { storage }) => {
    const upload = none();
    const file = await storage.partials.open(upload);
    await file.write(large.subarray(0, 100));
    const first = await file.sync();
    await file.write(large.subarray(100, 300));
    const both = await file.sync();
    await file.write(large.subarray(300, 400));
    await file.close();
    t.ok((await contentOf(storage, { ...upload, received: 100, pieces: first })).equals(large.subarray(0, 100)));
    t.ok((await contentOf(storage, { ...upload, received: 300, pieces: both })).equals(large.subarray(0, 300)));
    t.equal(await storage.partials.isThere({ ...upload, received: 1000, pieces: both }), false);
  },

  'an unavailable storage keeps its pieces and reports none as lost': async (t, sample) => {
    const { partials } = sample.storage;
    const upload = await append(sample.storage, none(), large);
    const putBack = await sample.takeAway();
    await t.rejects(partials.isThere(upload), away);
    await t.rejects(append(sample.storage, upload, large), away);
    await t.rejects(partials.remove(upload.id), away);
    await putBack();
    t.ok((await contentOf(sample.storage, upload)).equals(large));
    await t.rejects(
      partials.open({ ...upload, id: '../x' }).then((file) => file.write(large)),
      TypeError,
    );
  },
};
