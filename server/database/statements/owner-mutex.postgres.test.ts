import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { deleteImage } from '../../images/deletion/queries.ts';
import { insertImages } from '../../ingest/insertion-queries.ts';
import { openUpload } from '../../ingest/tus/queries.ts';
import { insertOwner } from '../../testing/collections/gallery-rows.ts';
import { eventually } from '../../testing/eventually.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { waitingForLocks } from '../../testing/waiting.ts';
import { connect, type Database } from '../connect.ts';
import { everythingOf } from './access.ts';

const quota = { images: undefined, bytes: undefined };
const process = 0n;

const changes: Record<string, (db: Database, ownerId: string) => Promise<unknown>> = {
  deletions: (db, ownerId) => deleteImage(db, { reach: everythingOf(ownerId), id: randomUUID(), process }),
  'inserts of uploads': (db, ownerId) =>
    insertImages(db, { ownerId, images: [], deduplicated: new Map(), process, quota }),
  'openings of uploads': (db, ownerId) =>
    openUpload(
      db,
      { id: randomUUID(), ownerId, tokenId: null, albumId: null, filename: 'a.png', size: 1 },
      () => undefined,
    ),
};

async function open(t: Test) {
  const { url } = await createTestDatabase(t);
  const [calls, holder] = [connect(url, { max: 2 }), connect(url, { max: 2 })];
  t.teardown(() => Promise.all([calls.close(), holder.close()]));
  return { calls: calls.db, holder: holder.db, ownerId: await insertOwner(holder.db) };
}

for (const [name, change] of Object.entries(changes)) {
  t.test(`${name} that wait for their owner's row hold one connection`, async (t) => {
    const { calls, holder, ownerId } = await open(t);
    let isAnswered = false;
    let waiting = 0;
    const made = await holder.transaction(async (tx) => {
      await tx.execute(sql`select 1 from users where id = ${ownerId} for update`);
      const pending = Promise.all(Array.from({ length: 5 }, () => change(calls, ownerId)));
      const other = calls.execute('select 1').then(() => {
        isAnswered = true;
      });
      await eventually('one call waits for the lock and the other is answered, or two calls wait', async () => {
        waiting = await waitingForLocks(holder);
        return waiting > 1 || (waiting === 1 && isAnswered);
      });
      return { pending, other };
    });
    t.equal(waiting, 1);
    await Promise.all([made.pending, made.other]);
  });
}
