import t from 'tap';
import { connect } from '../database/connect.ts';
import { asking, insertManyRows, insertOwner } from '../testing/collections/gallery-rows.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { searchImages } from './search.ts';

const count = 10_100;
const size = 4000;

const { url } = await createTestDatabase(t);
const { db, close } = connect(url);
t.teardown(close);

t.test('matches are counted up to ten thousand, and pages beyond are still reachable', async (t) => {
  const ownerId = await insertOwner(db);
  await insertManyRows(db, ownerId, count);
  // As a small gallery, and with the sample and index of a large one.
  for (const images of [count, 1_000_000]) {
    const search = (text: string, page: number) => searchImages(db, { ownerId, images }, asking(text), { page, size });
    t.match(await search('rare', 1), { total: 101, isEstimate: false });
    t.match(await search('q', 1), { total: 0, isEstimate: false, images: [] });
    t.match(await search('zzz', 1), { total: 0, isEstimate: false, images: [] });
    t.match(await search('999', 1), { isEstimate: false });

    const pages: string[][] = [];
    for (let page = 1, pagesSaid = 1; page <= pagesSaid; page++) {
      const found = await search('jpg', page);
      pagesSaid = Math.ceil(found.total / size);
      pages.push(found.images.map(({ filename }) => filename));
      t.ok(found.total > 10_000);
      if (found.images.length < size)
        t.match(found, { total: count, isEstimate: false }, 'the last page has the exact total');
      if (pages.length > 20) break;
    }
    const names = pages.flat();
    t.equal(names.length, count);
    t.equal(new Set(names).size, count, 'each image appears once');
    t.match(names[0], /^rare-10100/);
    t.match(await search('jpg', 1), { isEstimate: true }, 'not counted from the first page');
  }
});

t.test('a search finds punctuation and letters of any script', async (t) => {
  const ownerId = await insertOwner(db);
  await insertManyRows(db, ownerId, 200);
  for (const images of [200, 1_000_000]) {
    const total = async (text: string) =>
      (await searchImages(db, { ownerId, images }, asking(text), { page: 1, size })).total;
    t.equal(await total('-'), 2);
    t.equal(await total('---'), 0);
    t.equal(await total('e-1'), 1);
    t.equal(await total('夏の海'), 0);
    t.equal(await total('_1'), 110);
  }
});
