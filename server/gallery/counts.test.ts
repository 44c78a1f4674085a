/** The counts by which pages are found match the rows after every change. */
import { sql } from 'drizzle-orm';
import t from 'tap';
import { connect } from '../database/connect.ts';
import { insertManyRows, insertOwner, insertRows, wrongCounts } from '../testing/collections/gallery-rows.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';

const { url } = await createTestDatabase(t);
const { db, close } = connect(url);
t.teardown(close);

const countsOf = async () =>
  (await db.execute<{ rows: number }>(sql`select count(*)::int as rows from image_counts`))[0]?.rows;

t.test('the counts stay correct after statements that change many rows or none', async (t) => {
  const [one, other] = [await insertOwner(db), await insertOwner(db)];
  await insertManyRows(db, one, 900);
  await insertManyRows(db, other, 600);
  t.equal(await wrongCounts(db), 0, 'after inserts');
  await db.execute(sql`update images set owner_id = ${other} where search_name like 'rare-%'`);
  t.equal(await wrongCounts(db), 0, 'with another owner');
  await db.execute(
    sql`update images set uploaded_at = uploaded_at - interval '40 years' where search_name like '%7.jpg'`,
  );
  t.equal(await wrongCounts(db), 0, 'at another time, before 1970 too');
  await db.execute(sql`update images set has_screen = true`);
  await db.execute(sql`delete from images where false`);
  await db.execute(sql`delete from images where search_name like '%3.jpg'`);
  t.equal(await wrongCounts(db), 0, 'after deletions');
  await db.execute(sql`delete from users where id = ${one}`);
  t.equal(await wrongCounts(db), 0, 'after the end of an account');
  await db.execute(sql`delete from images`);
  t.equal(await countsOf(), 0, 'no counts remain');
});

t.test('the counts stay correct after a truncate and a rollback', async (t) => {
  const owner = await insertOwner(db);
  await insertManyRows(db, owner, 100);
  const undone = db.transaction(async (tx) => {
    await tx.execute(sql`delete from images`);
    throw new Error('rolled back');
  });
  await t.rejects(undone);
  t.equal(await wrongCounts(db), 0);
  await db.execute(sql`truncate images cascade`);
  t.equal(await countsOf(), 0);
});

t.test('the counts stay correct with eight concurrent writers in one gallery', async (t) => {
  const ownerId = await insertOwner(db);
  const moments = Array.from({ length: 6 }, (_, index) => new Date(Date.UTC(2026, 0, 1) + index * 9_000_000));
  const writer = async (number: number) => {
    for (let round = 0; round < 6; round++) {
      // Different orders for each writer, which could deadlock if the counts were locked in row order.
      const rows = moments.map((_, index) => moments[(index * 5 + number + round) % moments.length] as Date);
      const ids = await insertRows(
        db,
        rows.map((uploadedAt) => ({ ownerId, uploadedAt })),
      );
      if (round % 3 !== 0) await db.execute(sql`delete from images where id in ${ids.slice(number % 3)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
  t.equal(await wrongCounts(db), 0);
});
