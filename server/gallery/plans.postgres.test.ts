/** Query plans of the lists on tens of thousands of rows: the indexes used and the rows read. */
import t from 'tap';
import { connect } from '../database/connect.ts';
import { asking, insertManyRows, insertOwner } from '../testing/collections/gallery-rows.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { type PlanNode, planOf, settle } from '../testing/postgres/plans.ts';
import { farPage, farPageBy, nearerEnd, nearPage } from './pages.ts';
import { lookUp, searchImages, walk } from './search.ts';

const count = 30_000;
const size = 24;

const { url } = await createTestDatabase(t);
const { db, sql, close } = connect(url, { max: 1 });
t.teardown(close);
const [owner, other] = [await insertOwner(db), await insertOwner(db)];
await insertManyRows(db, owner, count);
await insertManyRows(db, other, count);
await settle(sql, ['images', 'image_counts']);

const indexesOf = (nodes: PlanNode[]) => [...new Set(nodes.map((node) => node['Index Name']).filter(Boolean))].sort();
const readWhole = (nodes: PlanNode[]) =>
  nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name']);
/** Rows read from images and counts. */
const looked = (nodes: PlanNode[]) =>
  nodes
    .filter((node) => node['Relation Name'])
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );

const oldestFirst = farPageBy({ by: 'date', descending: false });

t.test('any page by date is found through indexes and reads few rows', async (t) => {
  for (const [name, text, before] of [
    ['the first page', nearPage, 0],
    ['the twentieth page', nearPage, 480],
    ['a page in the middle', farPage, count / 2],
    ['the last page', farPage, count - 10],
    ['a page past the end', farPage, count + 10],
    ['a page in the middle, the oldest first', oldestFirst, count / 2 + 100],
    ['the last page, the oldest first', oldestFirst, count - 10],
  ] as const) {
    for (const generic of [false, true]) {
      const plan = await planOf(sql, text, [owner, before, size], generic);
      t.same(indexesOf(plan), ['image_counts_owner_id_span_place_pk', 'images_owner_newest'], name);
      t.same(readWhole(plan), [], name);
      t.ok(looked(plan) < 1500, `${name}: ${looked(plan)} rows`);
    }
  }
});

t.test('a page by name or size is found by an index-only scan from the nearer end', async (t) => {
  const least = 2 * size + 10;
  for (const [by, language, index] of [
    ['name', undefined, 'images_owner_name'],
    ['name', 'ar', 'images_owner_name_ar'],
    ['size', undefined, 'images_owner_size'],
  ] as const) {
    for (const descending of [false, true]) {
      for (const [before, max] of [
        [0, least],
        [count / 2, count / 2 + least],
        [count - 100, 100 + least],
        [count + 10, least],
      ] as const) {
        const plan = await planOf(
          sql,
          nearerEnd({ by, descending, ...(language ? { language } : {}) }),
          [owner, before, size],
          true,
        );
        const label = `${by} ${language} ${descending} from ${before}`;
        t.same(indexesOf(plan), ['image_counts_owner_id_span_place_pk', index, 'images_pkey'].sort(), label);
        t.same(readWhole(plan), [], label);
        t.ok(looked(plan) <= max, `${label}: ${looked(plan)} rows`);
        const walked = plan.filter((node) => node['Index Name'] === index);
        t.ok(
          walked.every((node) => node['Node Type'] === 'Index Only Scan'),
          label,
        );
      }
    }
  }
});

t.test('a search of a large gallery uses the trigram index of its owner', async (t) => {
  await sql.unsafe(`set enable_seqscan = off; set enable_indexscan = off`);
  const plan = await planOf(sql, lookUp, [owner, 'rare-', 10_001, 0, size], false);
  t.same(indexesOf(plan), ['images_name_trigrams', 'images_pkey']);
  t.ok(looked(plan) < 3 * (count / 100) + 3 * size, `${looked(plan)} rows`);
  await sql.unsafe('reset all');
  const found = await searchImages(db, { ownerId: owner, images: 1_000_000 }, asking('Rare-'), { page: 13, size });
  t.match(found, { total: count / 100, isEstimate: false });
  t.equal(found.images.length, 12);
});

t.test('a search of a small gallery scans it in order and stops after enough matches', async (t) => {
  for (const generic of [false, true]) {
    const plan = await planOf(sql, walk, [owner, 'img', 100, 0, size], generic);
    t.ok(indexesOf(plan).includes('images_owner_newest'));
    t.same(readWhole(plan), []);
    t.ok(looked(plan) < 300, `${looked(plan)} rows`);
  }
});
