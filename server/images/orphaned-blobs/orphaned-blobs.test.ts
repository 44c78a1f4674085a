import { join } from 'node:path';
import t from 'tap';
import { connect } from '../../database/connect.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { rowsOf } from '../../testing/collections/collection.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { openTestStorage } from '../../testing/storage.ts';
import { createOrphanedBlobs } from './orphaned-blobs.ts';
import { createOrphanQueries } from './queries.ts';

const dead = 4611686018427387999n;
const own = 4611686018427387998n;

const { url } = await createTestDatabase(t);
const { db, close } = connect(url);
t.teardown(close);
const storage = await openTestStorage(join(await temporaryFolder(t), 'files'));
const queries = createOrphanQueries(db, own);

/** Inserts orphaned blobs of a dead process. */
async function prepare(count: number) {
  await query(
    url,
    `truncate orphaned_blobs; insert into orphaned_blobs (image_id, extension, process)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'jpg', ${dead} from generate_series(1, ${count}) n`,
  );
}

const log = { warn: () => {}, error: () => {} };
const isAlive = async (process: bigint) => process !== dead;

t.test('orphaned blobs of a dead process are taken over in batches', async (t) => {
  await prepare(7);
  const some = async () => (await queries.takeOver(dead, 3)).length;
  t.same([await some(), await some(), await some(), await some()], [3, 3, 1, 0]);
});

t.test('a sweep removes all other bytes when some cannot be removed', async (t) => {
  await prepare(1300);
  let broken = true;
  const remove: typeof storage.remove = async (key) => {
    if (broken && /0000(1|300)\.jpg$/.test(key)) throw new Error('it cannot be removed');
  };
  const orphaned = createOrphanedBlobs({ storage: { ...storage, remove }, queries, isAlive, log });
  await t.rejects(orphaned.sweep(), { message: 'it cannot be removed' });
  t.equal((await rowsOf(url)).orphaned, 2);
  broken = false;
  t.equal(await orphaned.sweep(), 2);
  t.equal((await rowsOf(url)).orphaned, 0);
});

t.test('a sweep on a read-only disk takes over a bounded number of rows', async (t) => {
  await prepare(12_000);
  const remove = async () => {
    throw new Error('read-only');
  };
  const orphaned = createOrphanedBlobs({ storage: { ...storage, remove }, queries, isAlive, log });
  await t.rejects(orphaned.sweep(), { message: 'read-only' });
  const [row] = await query(url, `select count(*)::int as count from orphaned_blobs where process = ${dead}`);
  t.equal(row?.count, 2000);
});

/** A storage that stops the sweep when its first object is removed, and counts the removed originals. */
function stoppingStorage() {
  const closing = new AbortController();
  const removed: string[] = [];
  const remove: typeof storage.remove = async (key) => {
    closing.abort();
    if (key.startsWith('originals/')) removed.push(key);
  };
  return { storage: { ...storage, remove }, removed, signal: closing.signal };
}

t.test('a sweep of a dead process ends after the current image when the server stops', async (t) => {
  await prepare(5);
  const { storage, removed, signal } = stoppingStorage();
  const orphanedBlobs = createOrphanedBlobs({ storage, queries, isAlive, log });
  t.equal(await orphanedBlobs.sweepDead(signal), 1);
  t.equal(removed.length, 1);
  t.equal((await rowsOf(url)).orphaned, 4, 'the others keep their rows');
});

t.test('a sweep of released bytes ends after the current image when the server stops', async (t) => {
  await prepare(5);
  const rows = await queries.takeOver(dead, 5);
  const { storage, removed, signal } = stoppingStorage();
  const orphanedBlobs = createOrphanedBlobs({ storage, queries, isAlive, log });
  orphanedBlobs.release(rows);
  t.equal(await orphanedBlobs.sweepOwn(signal), 1);
  t.equal(removed.length, 1);
  t.equal((await rowsOf(url)).orphaned, 4, 'the others keep their rows');
});

t.test('removeOwn removes the orphaned blobs of its process', async (t) => {
  await prepare(3);
  t.same(await queries.ownRows(undefined, 10), []);
  await queries.takeOver(dead, 10);
  const orphaned = createOrphanedBlobs({ storage, queries, isAlive, log });
  let steps = 0;
  const removal = await orphaned.removeOwn(() => {
    steps += 1;
  });
  t.match(removal, { gone: 3, failed: 0 });
  t.equal(steps, 3);
  t.same(await queries.ownRows(undefined, 10), []);
});
