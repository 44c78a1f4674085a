/** Compares pages found through the counts with a walk over all rows. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import t from 'tap';
import { connect } from '../database/connect.ts';
import { insertOwner, insertRows, type SomeImage } from '../testing/collections/gallery-rows.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { pageOfImages } from './pages.ts';

const quarterHour = 2 ** 20;
const days = 2 ** 30;

/** Times around the edges of count intervals, far apart, before 1970, and equal ones. */
const moment = fc.oneof(
  fc.constant(1_700_000_000_000),
  fc.tuple(fc.integer({ min: -3, max: 1700 }), fc.integer({ min: -2, max: 2 })).map(([at, by]) => at * days + by),
  fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -1, max: 1 })).map(([at, by]) => at * quarterHour + by),
  fc.integer({ min: 1_690_000_000_000, max: 1_690_010_000_000 }),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ insert: fc.array(moment, { minLength: 1, maxLength: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(4), of: fc.integer({ min: 2, max: 5 }) }) },
);

const { url } = await createTestDatabase(t);
const { db, close } = connect(url);
t.teardown(close);

t.test('any page, after any inserts and deletions, equals the same rows found by a walk', async (t) => {
  const neighbour = await insertOwner(db);
  const check = async (steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[], size: number) => {
    const ownerId = await insertOwner(db);
    for (const each of steps) {
      if ('insert' in each) {
        const rows = each.insert.map((at): SomeImage => ({ ownerId, uploadedAt: new Date(at) }));
        await insertRows(db, [...rows, { ...rows[0], ownerId: neighbour }]);
      } else {
        await db.execute(sql`delete from images where owner_id = ${ownerId}
          and get_byte(uuid_send(id), 15) % ${each.of}::int = ${each.remove}::int`);
      }
    }
    const all = await db.execute<{ id: string }>(
      sql`select id from images where owner_id = ${ownerId} order by uploaded_at desc, id desc`,
    );
    const ids = all.map(({ id }) => id);
    for (const page of [1, 2, 3, 5, Math.ceil(ids.length / size), Math.ceil(ids.length / size) + 1, 9e15]) {
      if (page < 1) continue;
      const wanted = { total: ids.length, ids: ids.slice((page - 1) * size, page * size) };
      const last = { total: ids.length, ids: [...ids].reverse().slice((page - 1) * size, page * size) };
      for (const near of [-1, 500]) {
        for (const descending of [true, false]) {
          const options = { near, order: { by: 'date', descending } } as const;
          const { total, images } = await pageOfImages(db, ownerId, { page, size }, options);
          const label = `page ${page} of ${size} images, ${descending ? 'newest' : 'oldest'} first`;
          t.same({ total, ids: images.map(({ id }) => id) }, descending ? wanted : last, label);
        }
      }
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), check), {
    numRuns: 14,
  });
});

t.test('an account without images has empty pages', async (t) => {
  for (const near of [-1, 500]) {
    t.same(await pageOfImages(db, randomUUID(), { page: 1, size: 24 }, { near }), { total: 0, images: [] });
  }
});
