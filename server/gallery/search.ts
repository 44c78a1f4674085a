/**
 * A walk compares the owner's images in order; a lookup gathers all candidates of the trigram index. Small galleries
 * are walked; for a large one a sample decides. Both stop after more matches than are counted exactly.
 */
import type { ClientDatabase } from '../database/connect.ts';
import { askUnder, LIST_TIMEOUT, preparedInTime } from '../database/driver/prepared.ts';
import { type ShownColumns, type ShownImage, shownColumns, shownImage } from '../images/columns.ts';
import { needleOf } from '../images/search-name.ts';
import { conditionsOf } from './conditions.ts';
import type { Filters } from './operators.ts';
import { isNewestFirst, keyOf, newestFirst, type Order, orderBy } from './order.ts';
import { type Page, startOf } from './pages.ts';

/** An estimated total is never less than the matches seen. */
type Found = { images: ShownImage[]; total: number; isEstimate: boolean };

/** Matches up to this number are counted exactly. */
const counted = 10_000;
/** Up to this number of images, a walk is faster than a sample. */
const small = 50_000;
const longest = String(LIST_TIMEOUT);

/** $3: maximum matches, $4: matches before the page, $5: those on it. An empty page still returns one row with `found`. */
const pageOf = (matches: string, order: Order) => `
  with found as materialized (${matches} limit $3::bigint)
  select known.found, ${shownColumns}
  from (select count(*)::int as found from found) known left join lateral (
    select images.* from (select id from found ${orderBy(order)} offset $4::bigint limit $5::bigint) page
    join images on images.id = page.id
  ) i on true ${orderBy(order, 'i.')}`;

/** @param conditions of conditions.ts, from $6 */
const walkBy = (order: Order, conditions: string) =>
  pageOf(
    `select ${keyOf(order)}, id from images where owner_id = $1 and strpos(search_name, $2) > 0${conditions} ${orderBy(order)}`,
    order,
  );

/**
 * Unordered: matches cut off at $3 are not the newest. `is not distinct from` keeps Postgres from choosing an index of the
 * owner, who is part of each trigram. 40 characters are selective enough, and trigrams of long texts are slow.
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

/** Samples 250 table pages, about 6000 rows of all owners. `repeatable` gives all pages of a search the same estimate. */
const sampleBy = (conditions: string) => `
  select count(*)::int as own, count(*) filter (where strpos(search_name, $2) > 0)::int as named,
    count(*) filter (where strpos(search_name, $2) > 0${conditions})::int as matches
  from images tablesample system ((
    select least(100, 100.0 * 250 * current_setting('block_size')::int / greatest(pg_relation_size('images'), 1))
  )) repeatable (1)
  where owner_id = $1`;

type Sample = { own: number; named: number; matches: number };
type Row = ShownColumns & { found: number };

export type Wanted = { texts: string[]; filters: Filters; order: Order };

const isIndexed = (text: string) => [...text].length >= 3;

/** An index match costs as much as walking six images, because it is a random read. */
const perMatch = 6;

/** @param expected `named` images contain the text, `matches` also satisfy the conditions */
function isWalkShorter({ named, matches }: { named: number; matches: number }, images: number): boolean {
  const walked = matches <= counted ? images : (images / matches) * counted;
  return walked < perMatch * named;
}

/** @param images approximate number of the owner's images @throws an error that isUnavailable recognizes, if it takes too long */
export async function searchImages(
  db: ClientDatabase,
  { ownerId, images }: { ownerId: string; images: number },
  { texts, filters, order }: Wanted,
  page: Page,
): Promise<Found> {
  // The longest text is in the fewest names.
  const [needle = '', ...others] = texts.map(needleOf).sort((one, other) => other.length - one.length);
  const before = startOf(page);
  const { text: conditions, values: asked } = conditionsOf(filters, others, 6);
  const values = (limit: number) => [ownerId, needle, limit, before, page.size, ...asked];
  const countLimit = Math.max(counted, before + page.size) + 1;
  const along = walkBy(order, conditions);
  if (images <= small && conditions === '' && isNewestFirst(order)) {
    return foundIn(await preparedInTime<Row>(db, along, values(countLimit)), countLimit);
  }
  const walkAlong = async (limit: number) =>
    foundIn(await askUnder<Row>(db, { statement_timeout: longest }, along, values(limit)), limit);
  if (images <= small) return walkAlong(countLimit);

  const byIndex = async (limit: number) => {
    // For many matches Postgres would choose a walk; the sample above is a better estimate.
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
  if (!isIndexed(needle) || isWalkShorter(expected, images)) return estimated(await walkAlong(countLimit));
  const some = await byIndex(counted + 1);
  if (!some.isEstimate) return some;
  // Too many to count: walk to the end of the page and one further, so that the next page is reachable.
  const found = await walkAlong(before + page.size + 1);
  return estimated({ ...found, total: Math.max(found.total, found.isEstimate ? some.total : 0) });
}

function foundIn(rows: Row[], limit: number): Found {
  const total = rows[0]?.found ?? 0;
  return { images: rows.filter(({ id }) => id !== null).map(shownImage), total, isEstimate: total >= limit };
}

/** Rounds to two significant digits, so that an estimate does not look counted. */
const rounded = (number: number) => (number < 1 ? 0 : Number(number.toPrecision(2)));
