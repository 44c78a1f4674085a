/** What an upload looks up, for an account that the statistics of Postgres do not know yet: a long import is such a case. */
import { sql } from 'drizzle-orm';
import t from 'tap';
import { connect } from '../../database/connect.ts';
import { findUploaded } from '../../ingest/insertion-queries.ts';
import { insertManyRows, insertOwner } from '../../testing/collections/gallery-rows.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { settle } from '../../testing/postgres/plans.ts';
import { imageAlike } from './queries.ts';

const { url } = await createTestDatabase(t);
const { db, sql: client, close } = connect(url, { max: 1 });
t.teardown(close);

async function insertAccount(images: number): Promise<string> {
  const owner = await insertOwner(db);
  await insertManyRows(db, owner, images);
  await db.execute(sql`update images set sha256 = md5(id::text), upload_key = link_key where owner_id = ${owner}`);
  return owner;
}

await insertAccount(3000);
await settle(client, ['images']);
const owner = await insertAccount(2000);

/** Rows of images that the work reads through indexes. */
const rowsRead = (work: (tx: typeof db) => Promise<unknown>): Promise<number> =>
  db.transaction(async (tx) => {
    const count = async () => {
      const [row] = await tx.execute<{ read: number }>(sql`
        select (idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables where relname = 'images'`);
      return row?.read ?? 0;
    };
    const before = await count();
    await work(tx as unknown as typeof db);
    return (await count()) - before;
  });

t.test('an upload of an unknown account reads few rows', async (t) => {
  const [row] = await db.execute<{ sha256: string; key: string }>(sql`
    select sha256, upload_key as key from images where owner_id = ${owner} limit 1`);
  const { sha256 = '', key = '' } = row ?? {};
  // A named statement may have a generic plan after its fifth execution.
  for (let times = 0; times < 12; times += 1) {
    for (const sum of [sha256, 'f'.repeat(64), '0'.repeat(64)]) {
      const read = await rowsRead((tx) => imageAlike(tx, owner, sum, []));
      t.ok(read <= 3, `bytes: ${read} rows`);
    }
    for (const one of [key, 'none']) {
      const read = await rowsRead((tx) => findUploaded(tx, owner, [one]));
      t.ok(read <= 2, `upload key: ${read} rows`);
    }
  }
});
