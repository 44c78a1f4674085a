/** What visitors read. Each request reads the share again, so that it ends at once on every process. */
import type { ImageRow } from '../../drizzle/schema.ts';
import { contentsOf, pageOfAlbum } from '../albums/pages.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { prepared, preparedInTime } from '../database/driver/prepared.ts';
import type { Page } from '../gallery/pages.ts';
import { NEVER } from '../images/expiry/expiry.ts';
import { allColumns, imageRowOf } from '../images/queries.ts';
import { type Address, pathOf } from './addresses.ts';

export type FoundShare = {
  id: string;
  ownerId: string;
  name: string;
  /** Null for a selection. */
  albumId: string | null;
  passwordHash: string | null;
  originals: boolean;
  details: boolean;
  download: boolean;
  /** ms since 1970 (images/expiry/expiry.ts) */
  end: number;
  createdAt: Date;
  /** The path of its page, by the key or the short name that the request used. */
  path: string;
};

type Row = Omit<FoundShare, 'createdAt' | 'path' | 'end'> & { createdAt: number; end: number | null };

/** The share's end is the earlier of the two. */
const shareBy = (column: 'key' | 'short_name') => `
  select s.id, s.owner_id as "ownerId", s.name, s.album_id as "albumId", s.password_hash as "passwordHash",
    s.originals and s.details as originals, s.details, s.download,
    date_part('epoch', least(s.expires_at, s.ended_at)) * 1000 as "end", date_part('epoch', s.created_at) * 1000 as "createdAt"
  from shares s join users u on u.id = s.owner_id
  where s.${column} = $1 and u.disabled_at is null and u.links_silenced_at is null`;

const byKey = shareBy('key');
const byShortName = shareBy('short_name');

/** @returns undefined also if its owner is disabled or their links are silenced */
export async function findShare(db: ClientDatabase, address: Address): Promise<FoundShare | undefined> {
  const [row] = await prepared<Row>(db, address.isKey ? byKey : byShortName, [address.text]);
  return row && { ...row, end: row.end ?? NEVER, createdAt: new Date(row.createdAt), path: pathOf(address.text) };
}

type Part = Pick<FoundShare, 'id' | 'ownerId' | 'albumId'>;

const inSelection = `select ${allColumns} from images i join share_images entry on entry.image_id = i.id
  where entry.share_id = $1 and entry.image_id = $2::uuid and entry.owner_id = $3 and i.owner_id = $3`;
const inAlbum = `select ${allColumns} from images i join album_images entry on entry.image_id = i.id
  where entry.album_id = $1 and entry.image_id = $2::uuid and entry.owner_id = $3 and i.owner_id = $3`;

/** @returns an image of the share, also a hidden or expired one */
export async function findSharedImage(
  db: ClientDatabase,
  { id, ownerId, albumId }: Part,
  imageId: string,
): Promise<ImageRow | undefined> {
  const [row] =
    albumId === null
      ? await prepared<Record<string, unknown>>(db, inSelection, [id, imageId, ownerId])
      : await prepared<Record<string, unknown>>(db, inAlbum, [albumId, imageId, ownerId]);
  return row && imageRowOf(row);
}

const contentsOfSelection = `
  select count(*)::int as count, (count(*) filter (where i.hidden_at is not null or i.expires_at <= now()))::int as hidden
  from share_images entry join images i on i.id = entry.image_id where entry.share_id = $1`;

type Contents = {
  /** All images, and how many of them visitors do not see. */
  count: number;
  hidden: number;
  cover: string | null;
};

export async function contentsOfShare(db: ClientDatabase, { id, ownerId, albumId }: Part): Promise<Contents> {
  if (albumId !== null) return contentsOf(db, { id: albumId, ownerId });
  const [row] = await preparedInTime<Omit<Contents, 'cover'>>(db, contentsOfSelection, [id]);
  return { count: 0, hidden: 0, ...row, cover: null };
}

const pageOfSelection = `
  select image_id as id from share_images where share_id = $1
  order by position, image_id offset $2::bigint limit $3::bigint`;

/** @param count images of the share @returns the ids of a page */
export async function pageOfShare(
  db: ClientDatabase,
  { id, ownerId, albumId }: Part,
  count: number,
  { page, size }: Page,
): Promise<string[]> {
  if (albumId !== null) return pageOfAlbum(db, ownerId, { id: albumId, count }, { page, size });
  const rows = await preparedInTime<{ id: string }>(db, pageOfSelection, [id, (page - 1) * size, size]);
  return rows.map((row) => row.id);
}
