/**
 * Searches of a gallery. A search name is compared letter by letter; the index of the owner's trigrams (runs of
 * three letters or signs) is only a way to the candidates.
 *
 * There are two ways to what is found: along the owner's images, in the order asked for, until there is enough; or by the
 * index, whose matches are all gathered. Small galleries are walked along. In a large one a sample
 * tells which way is the shorter. Either way stops once it has found more than are counted exactly. Filters narrow
 * what either finds.
 */
import type { ClientDatabase } from '../database/connect.ts';
import { askUnder, LIST_TIMEOUT, preparedInTime } from '../database/driver/prepared.ts';
import { type ShownColumns, type ShownImage, shownColumns, shownImage } from '../images/columns.ts';
import { needleOf } from '../images/search-name.ts';
import { conditionsOf } from './conditions.ts';
import type { Filters } from './operators.ts';
import { isNewestFirst, keyOf, newestFirst, type Order, orderBy } from './order.ts';
import type { Page } from './pages.ts';

/** A total that is an estimate is never less than what is known to be there. */
export type Found = { images: ShownImage[]; total: number; isEstimate: boolean };

/** Matches up to here are counted, each one. */
const counted = 10_000;
/** Images up to here are walked along sooner than sampled. */
const small = 50_000;
const longest = String(LIST_TIMEOUT);

/** $3 matches at most; $4 those before the page, $5 those on it. What was found is told with each row, also with none. */
const pageOf = (matches: string, order: Order) => `
  with found as materialized (${matches} limit $3::bigint)
  select known.found, ${shownColumns}
  from (select count(*)::int as found from found) known left join lateral (
    select images.* from (select id from found ${orderBy(order)} offset $4::bigint limit $5::bigint) page
    join images on images.id = page.id
  ) i on true ${orderBy(order, 'i.')}`;

/** @param conditions of conditions.ts, from $6 on */
const walkBy = (order: Order, conditions: string) =>
  pageOf(
    `select ${keyOf(order)}, id from images where owner_id = $1 and strpos(search_name, $2) > 0${conditions} ${orderBy(order)}`,
    order,
  );

/**
 * In no order: what stops at $3 is not the newest. The owner is in each trigram already, and is compared in the one way
 * for which Postgres does not think of another index. Trigrams of a few words say enough, and those of a very long text
 * take long to make.
 */
const lookUpBy = (order: Order, conditions: string) =>
  pageOf(
    `select ${keyOf(order)}, id from images
      where name_trigrams(owner_id, search_name) @> name_trigrams($1, left($2, 40))
        and owner_id is not distinct from $1 and strpos(search_name, $2) > 0${conditions}`,
    order,
  );

export const walk = walkBy(newestFirst, '');
export const lookUp = lookUpBy(newestFirst, '');

/** Of 250 pages of the table, some six thousand rows of all owners, the same ones each time, so that pages of one search agree. */
const sampleBy = (conditions: string) => `
  select count(*)::int as own, count(*) filter (where strpos(search_name, $2) > 0)::int as named,
    count(*) filter (where strpos(search_name, $2) > 0${conditions})::int as matches
  from images tablesample system ((
    select least(100, 100.0 * 250 * current_setting('block_size')::int / greatest(pg_relation_size('images'), 1))
  )) repeatable (1)
  where owner_id = $1`;

type Sample = { own: number; named: number; matches: number };
type Row = ShownColumns & { found: number };

/** What is looked for; the texts as searches compare them. */
export type Wanted = { texts: string[]; filters: Filters; order: Order };

/** Whether it has a trigram that the index can be asked for. */
const isIndexed = (text: string) => [...text].length >= 3;

/** A match by the index costs as much as walking along six images: it is read, and its place is anywhere. */
const perMatch = 6;

/** @param expected how many images have the text, and how many of them are matches */
function isWalkShorter({ named, matches }: { named: number; matches: number }, images: number): boolean {
  const walked = matches <= counted ? images : (images / matches) * counted;
  return walked < perMatch * named;
}

/**
 * @param images how many the owner has, at least roughly
 * @throws what isUnavailable (connect.ts) knows, where it takes too long
 */
export async function searchImages(
  db: ClientDatabase,
  { ownerId, images }: { ownerId: string; images: number },
  { texts, filters, order }: Wanted,
  page: Page,
): Promise<Found> {
  // The longest one is in the fewest names.
  const [needle = '', ...others] = texts.map(needleOf).sort((one, other) => other.length - one.length);
  const before = Math.min((page.page - 1) * page.size, 2 ** 51);
  const { text: conditions, values: asked } = conditionsOf(filters, others, 6);
  const values = (limit: number) => [ownerId, needle, limit, before, page.size, ...asked];
  const most = Math.max(counted, before + page.size) + 1;
  const along = walkBy(order, conditions);
  if (images <= small && conditions === '' && isNewestFirst(order)) {
    return foundIn(await preparedInTime<Row>(db, along, values(most)), most);
  }
  const walkAlong = async (limit: number) =>
    foundIn(await askUnder<Row>(db, { statement_timeout: longest }, along, values(limit)), limit);
  if (images <= small) return walkAlong(most);

  const byIndex = async (limit: number) => {
    // Where there are many, Postgres would rather walk along; that was thought of here, and by better numbers.
    const settings = { statement_timeout: longest, enable_seqscan: 'off', enable_indexscan: 'off' };
    return foundIn(await askUnder<Row>(db, settings, lookUpBy(order, conditions), values(limit)), limit);
  };
  const inSample = conditionsOf(filters, others, 3);
  const [seen] = await askUnder<Sample>(db, { statement_timeout: longest }, sampleBy(inSample.text), [
    ownerId,
    needle,
    ...inSample.values,
  ]);
  if (!seen) throw new Error('a sample answered no row');
  const share = (rows: number) => (seen.own === 0 ? 0 : (rows / seen.own) * images);
  const expected = { named: share(seen.named), matches: share(seen.matches) };
  const estimated = (found: Found): Found =>
    found.isEstimate ? { ...found, total: Math.max(found.total, rounded(expected.matches)) } : found;
  if (!isIndexed(needle) || isWalkShorter(expected, images)) return estimated(await walkAlong(most));
  const some = await byIndex(counted + 1);
  if (!some.isEstimate) return some;
  // More than are counted: only as far as the page, and one further, so that its next one can be reached.
  const found = await walkAlong(before + page.size + 1);
  return estimated({ ...found, total: Math.max(found.total, found.isEstimate ? some.total : 0) });
}

function foundIn(rows: Row[], limit: number): Found {
  const total = rows[0]?.found ?? 0;
  return { images: rows.filter(({ id }) => id !== null).map(shownImage), total, isEstimate: total >= limit };
}

/** To two figures: what is told as an estimate must not look counted. */
const rounded = (number: number) => (number < 1 ? 0 : Number(number.toPrecision(2)));
