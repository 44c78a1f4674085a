import type { Reach } from '../database/statements/access.ts';
import { textArray } from '../database/statements/arrays.ts';
import { needleOf } from '../images/search-name.ts';
import type { Filters, Orientation } from './operators.ts';

const shapes: Record<Orientation, string> = {
  portrait: 'width < height',
  landscape: 'width > height',
  square: 'width = height',
};

/** SQL for images in an album of each name. One join: Postgres' planning time grows faster than the square of the joins. */
const inAlbums = (names: string, count: number, reachable: string | undefined) =>
  `id in (select shown.image_id from album_images shown join albums on albums.id = shown.album_id
    where albums.owner_id = $1 and shown.owner_id = $1 and albums.search_name = any(${names}::text::text[])${
      reachable === undefined ? '' : ` and albums.id = ${reachable}::uuid`
    }${
      count === 1
        ? ''
        : ` group by shown.image_id having count(distinct albums.search_name) = cardinality(${names}::text::text[])`
    })`;

const inReach = (album: string) =>
  `id in (select image_id from album_images where owner_id = $1 and album_id = ${album}::uuid)`;

/** Limits a search, also an empty one, to what the call reaches. */
export const withinReach = (filters: Filters, { albumId }: Reach): Filters =>
  albumId === null ? filters : { ...filters, reachableAlbum: albumId };

/** SQL with $1 as the owner. @param first number of the first parameter @returns conditions that begin with ` and`, and values */
export function conditionsOf(
  { contentTypes, size, uploaded, orientations, albums, reachableAlbum }: Filters,
  needles: string[],
  first: number,
): { text: string; values: (string | number)[] } {
  const values: (string | number)[] = [];
  const parameter = (value: string | number) => `$${first + values.push(value) - 1}`;
  const moment = (ms: number) => `to_timestamp(${parameter(ms)}::double precision / 1000)`;
  const reachable = reachableAlbum && parameter(reachableAlbum);
  const names = [...new Set((albums ?? []).map(needleOf))];
  const conditions = [
    ...needles.map((needle) => `strpos(search_name, ${parameter(needle)}::text) > 0`),
    ...(contentTypes ? [`content_type = any(${parameter(textArray(contentTypes))}::text::text[])`] : []),
    ...(size?.from === undefined ? [] : [`size >= ${parameter(size.from)}::bigint`]),
    ...(size?.below === undefined ? [] : [`size < ${parameter(size.below)}::bigint`]),
    ...(uploaded?.from === undefined ? [] : [`uploaded_at >= ${moment(uploaded.from)}`]),
    ...(uploaded?.below === undefined ? [] : [`uploaded_at < ${moment(uploaded.below)}`]),
    ...(orientations ?? []).map((orientation) => shapes[orientation]),
    ...(reachable ? [inReach(reachable)] : []),
    ...(names.length > 0 ? [inAlbums(parameter(textArray(names)), names.length, reachable)] : []),
  ];
  return { text: conditions.map((condition) => ` and ${condition}`).join(''), values };
}
