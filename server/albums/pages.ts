/** Reads albums. Totals and pages come from one index (album_images_position), without the rows. */
import type { ClientDatabase } from '../database/connect.ts';
import { prepared, preparedInTime } from '../database/driver/prepared.ts';
import type { Reach } from '../database/statements/access.ts';
import type { Page } from '../gallery/pages.ts';

export type FoundAlbum = {
  id: string;
  name: string;
  linkKey: string | null;
  /** of its public page */
  views: number;
  createdAt: Date;
  /** From 1, in the owner's order. */
  ordinal: number;
  count: number;
  cover: string | null;
  /** At most three images for its card: the cover, then the first ones. */
  shown: string[];
};

type Row = Omit<FoundAlbum, 'createdAt' | 'shown'> & { createdAt: number; shown: string };

const total = (album: string) => `(select count(*)::int from album_images where owner_id = $1 and album_id = ${album})`;

/** $1 the owner */
const albumsOf = (which: string) => `
  select a.id, a.name, a.link_key as "linkKey", a.link_views::float8 as views, date_part('epoch', a.created_at) * 1000 as "createdAt",
    a.ordinal::int as ordinal, ${total('a.id')} as count,
    (select image_id from album_images where album_id = a.id and owner_id = $1 and is_cover) as cover,
    coalesce((
      select string_agg(image_id::text, ',' order by rank, position, image_id) from (
        select 0 as rank, position, image_id from album_images where album_id = a.id and owner_id = $1 and is_cover
        union all
        (select 1, position, image_id from album_images where owner_id = $1 and album_id = a.id and not is_cover
          order by position, image_id limit 3)
        order by rank, position, image_id limit 3
      ) card
    ), '') as shown
  from (select *, row_number() over (order by position, id) as ordinal from albums where owner_id = $1) a
  ${which} order by ordinal`;

export const everyAlbum = albumsOf('');
const oneAlbum = albumsOf('where a.id = $2::uuid');

const albumOf = (row: Row): FoundAlbum => ({
  ...row,
  createdAt: new Date(Math.round(row.createdAt)),
  shown: row.shown === '' ? [] : row.shown.split(','),
});

export async function listAlbums(db: ClientDatabase, { ownerId, albumId }: Reach): Promise<FoundAlbum[]> {
  const rows =
    albumId === null
      ? preparedInTime<Row>(db, everyAlbum, [ownerId])
      : preparedInTime<Row>(db, oneAlbum, [ownerId, albumId]);
  return (await rows).map(albumOf);
}

/** @returns undefined if this owner has no such album */
export async function findAlbum(db: ClientDatabase, ownerId: string, id: string): Promise<FoundAlbum | undefined> {
  const [row] = await preparedInTime<Row>(db, oneAlbum, [ownerId, id]);
  return row && albumOf(row);
}

export type PublicAlbum = { id: string; ownerId: string; name: string };

type PublicContents = {
  /** All of its images, and how many of them visitors do not see: hidden by the administrator, or expired and not swept yet. */
  count: number;
  hidden: number;
  cover: string | null;
};

/** The album of a link; undefined if the link was ended, the account is disabled or its links are silenced. */
export async function findByLink(db: ClientDatabase, linkKey: string): Promise<PublicAlbum | undefined> {
  const [row] = await prepared<PublicAlbum>(
    db,
    `select a.id, a.owner_id as "ownerId", a.name
    from albums a join users on users.id = a.owner_id
    where a.link_key = $1 and users.disabled_at is null and users.links_silenced_at is null`,
    [linkKey],
  );
  return row;
}

/** $1 the owner, $2 the album */
const contents = `
  select ${total('$2::uuid')} as count,
    (select count(*)::int from images i where i.owner_id = $1 and i.hidden_at is not null and not i.waiting
      and exists (select 1 from album_images where album_id = $2::uuid and image_id = i.id))
    + (select count(*)::int from images i where i.owner_id = $1 and i.expires_at <= now() and i.hidden_at is null
      and exists (select 1 from album_images where album_id = $2::uuid and image_id = i.id)) as hidden,
    (select image_id from album_images where album_id = $2::uuid and is_cover) as cover`;

/** @param db connections for lists: the time grows with the album */
export async function contentsOf(
  db: ClientDatabase,
  { id, ownerId }: Pick<PublicAlbum, 'id' | 'ownerId'>,
): Promise<PublicContents> {
  const [row] = await preparedInTime<PublicContents>(db, contents, [ownerId, id]);
  return row ?? { count: 0, hidden: 0, cover: null };
}

const pageBy = (order: string) => `
  select image_id as id from album_images where owner_id = $1 and album_id = $2::uuid
  order by position ${order}, image_id ${order} offset $3::bigint limit $4::bigint`;

export const fromTheStart = pageBy('asc');
export const fromTheEnd = pageBy('desc');

/** Walks the index from its nearer end. @param album.count its images @param page from 1; empty past the end */
export async function pageOfAlbum(
  db: ClientDatabase,
  ownerId: string,
  { id, count }: { id: string; count: number },
  { page, size }: Page,
): Promise<string[]> {
  const before = (page - 1) * size;
  const wanted = Math.min(size, count - before);
  if (wanted <= 0) return [];
  const after = count - before - wanted;
  if (before <= after)
    return idsOf(await preparedInTime<{ id: string }>(db, fromTheStart, [ownerId, id, before, wanted]));
  return idsOf(await preparedInTime<{ id: string }>(db, fromTheEnd, [ownerId, id, after, wanted])).reverse();
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
