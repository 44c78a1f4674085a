/** What filters ask for, in SQL. */
import type { Filters, Orientation } from './operators.ts';
import { needleOf } from './search-name.ts';

const shapes: Record<Orientation, string> = {
  portrait: 'width < height',
  landscape: 'width > height',
  square: 'width = height',
};

/** The owner's albums of a name, of which there may be several. */
const inAlbum = (
  name: string,
) => `id in (select shown.image_id from album_images shown join albums on albums.id = shown.album_id
  where albums.owner_id = $1 and shown.owner_id = $1 and albums.search_name = ${name}::text)`;

/**
 * Of a row of images; the owner is $1, and compared elsewhere.
 *
 * @param first the number of the first parameter
 * @returns conditions that begin with ` and`; and the values of their parameters
 */
export function conditionsOf(
  { contentTypes, size, uploaded, orientations, albums }: Filters,
  needles: string[],
  first: number,
): { text: string; values: (string | number)[] } {
  const values: (string | number)[] = [];
  const parameter = (value: string | number) => `$${first + values.push(value) - 1}`;
  const moment = (ms: number) => `to_timestamp(${parameter(ms)}::double precision / 1000)`;
  const conditions = [
    ...needles.map((needle) => `strpos(search_name, ${parameter(needle)}::text) > 0`),
    ...(contentTypes ? [`content_type in (${contentTypes.map(parameter).join(', ') || 'null'})`] : []),
    ...(size?.from === undefined ? [] : [`size >= ${parameter(size.from)}::bigint`]),
    ...(size?.below === undefined ? [] : [`size < ${parameter(size.below)}::bigint`]),
    ...(uploaded?.from === undefined ? [] : [`uploaded_at >= ${moment(uploaded.from)}`]),
    ...(uploaded?.below === undefined ? [] : [`uploaded_at < ${moment(uploaded.below)}`]),
    ...(orientations ?? []).map((orientation) => shapes[orientation]),
    ...(albums ?? []).map((name) => inAlbum(parameter(needleOf(name)))),
  ];
  return { text: conditions.map((condition) => ` and ${condition}`).join(''), values };
}
