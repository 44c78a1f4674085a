/** Query plans for an album of tens of thousands of images. */
import t, { type Test } from 'tap';
import { connect } from '../database/connect.ts';
import { insertManyRows, insertOwner } from '../testing/collections/gallery-rows.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { planOf, settle } from '../testing/postgres/plans.ts';
import { everyAlbum, fromTheEnd, fromTheStart, pageOfAlbum } from './pages.ts';

const count = 20_010;
const size = 24;
const [id, otherId, thirdId] = [1, 2, 3].map((number) => `00000000-0000-7000-8000-00000000000${number}`) as [
  string,
  string,
  string,
];

async function seeded(t: Test) {
  const { url } = await createTestDatabase(t);
  const connection = connect(url, { max: 1 });
  t.teardown(connection.close);
  const { db, sql } = connection;
  const [owner, other] = [await insertOwner(db), await insertOwner(db)];
  for (const [albumId, ownerId] of [
    [id, owner],
    [otherId, other],
    [thirdId, other],
  ] as const) {
    if (albumId !== thirdId) await insertManyRows(db, ownerId, count);
    await sql`insert into albums (id, owner_id, name, search_name, position) values (${albumId}, ${ownerId}, 'All', 'all', 1)`;
    await sql`insert into album_images (album_id, image_id, owner_id, position)
      select ${albumId}, id, owner_id, row_number() over (order by uploaded_at) from images where owner_id = ${ownerId}`;
  }
  await settle(sql, ['album_images', 'albums', 'images']);
  return { db, sql, owner };
}

t.test('query plans of a large album', async (t) => {
  const { db, sql, owner } = await seeded(t);
  await t.test('any page is read from one index, without sorting and without the rows', async (t) => {
    for (const [text, before] of [
      [fromTheStart, 0],
      [fromTheStart, count / 2],
      [fromTheEnd, 0],
      [fromTheEnd, count / 2],
    ] as const) {
      for (const generic of [false, true]) {
        const plan = await planOf(sql, text, [owner, id, before, size], generic);
        t.same(
          plan.map((node) => node['Node Type']),
          ['Limit', 'Index Only Scan'],
        );
        t.equal(plan[1]?.['Index Name'], 'album_images_position');
        t.ok((plan[1]?.['Actual Rows'] ?? count) <= before + size);
      }
    }
    const last = await pageOfAlbum(db, owner, { id, count }, { page: Math.ceil(count / size), size });
    const rows =
      await sql`select image_id::text as id from album_images where album_id = ${id} order by position desc limit ${count % size}`;
    t.same(last, rows.map((row) => row.id).toReversed());
  });

  await t.test(
    'the list of albums reads no images, and only as many entries of each album as its card shows',
    async (t) => {
      const plan = await planOf(sql, everyAlbum, [owner], true);
      t.notOk(plan.some((node) => node['Relation Name'] === 'images'));
      const counted = plan.filter((node) => node['Relation Name'] === 'album_images' && node['Actual Rows'] > size);
      t.same(
        counted.map((node) => node['Node Type']),
        ['Index Only Scan'],
        'only for the total',
      );
    },
  );
});
