/** What guests read and write. Each request reads the link again, so that it ends at once on every process. */
import { and, eq, exists, lt, notExists, sql } from 'drizzle-orm';
import { collectedImages, collectGuests, type ImageRow } from '../../drizzle/schema.ts';
import type { ClientDatabase, Database } from '../database/connect.ts';
import { prepared, preparedInTime } from '../database/driver/prepared.ts';
import { TooManyGuests } from '../errors.ts';
import type { Page } from '../gallery/pages.ts';
import { type ShownColumns, type ShownImage, shownColumns, shownImage } from '../images/columns.ts';
import { NEVER } from '../images/expiry/expiry.ts';
import { allColumns, imageRowOf } from '../images/queries.ts';
import type { Held, OwnQuota } from '../images/quota.ts';
import { type Collected, daysFromNow, GUEST_DAYS, IDLE_GUEST_DAYS } from '../ingest/guest-queries.ts';

export type FoundLink = Pick<Collected, 'maxFiles' | 'maxBytes'> & {
  id: string;
  ownerId: string;
  name: string;
  albumId: string;
  passwordHash: string | null;
  passwordVersion: number;
  open: boolean;
  asksName: boolean;
  lookFirst: boolean;
  /** ms since 1970 (images/expiry/expiry.ts) */
  end: number;
  path: string;
  /** What the owner stores, and may store. */
  held: Held & OwnQuota;
};

export type FoundGuest = { id: string; name: string | null; passwordVersion: number };

type Row = Omit<FoundLink, 'end' | 'path' | 'held' | 'maxBytes'> & {
  end: number | null;
  maxBytes: string;
  heldImages: number;
  heldBytes: string;
  quotaImages: number | null;
  quotaBytes: string | null;
  guestId: string | null;
  guestName: string | null;
  guestVersion: number;
};

export const pathOf = (key: string) => `/c/${key}`;

const linkByKey = `
  select link.id, link.owner_id as "ownerId", link.name, link.album_id as "albumId",
    link.password_hash as "passwordHash", link.password_version as "passwordVersion", link.open,
    link.asks_name as "asksName", link.look_first as "lookFirst", link.max_files as "maxFiles",
    link.max_bytes as "maxBytes", date_part('epoch', least(link.expires_at, link.ended_at)) * 1000 as "end",
    owner.image_count as "heldImages", owner.image_bytes as "heldBytes",
    owner.quota_images as "quotaImages", owner.quota_bytes as "quotaBytes",
    guest.id as "guestId", guest.name as "guestName", guest.password_version as "guestVersion"
  from collect_links link
    join users owner on owner.id = link.owner_id
    left join collect_guests guest
      on guest.link_id = link.id and guest.token_hash = $2 and guest.expires_at > now()
  where link.key = $1 and owner.disabled_at is null and owner.links_silenced_at is null`;

/**
 * @param tokenHash of the guest's cookie
 * @returns undefined also if its owner is disabled or their links are silenced
 */
export async function findLink(db: ClientDatabase, key: string, tokenHash: string | undefined) {
  const [row] = await prepared<Row>(db, linkByKey, [key, tokenHash ?? '']);
  if (!row) return undefined;
  const { guestId, guestName, guestVersion, heldImages, heldBytes, quotaImages, quotaBytes, ...found } = row;
  const link: FoundLink = {
    ...found,
    maxBytes: Number(row.maxBytes),
    end: row.end ?? NEVER,
    path: pathOf(key),
    held: {
      ...{ images: heldImages, bytes: Number(heldBytes) },
      ...{ quotaImages, quotaBytes: quotaBytes === null ? null : Number(quotaBytes) },
    },
  };
  const guest: FoundGuest | undefined =
    guestId === null ? undefined : { id: guestId, name: guestName, passwordVersion: guestVersion };
  return { link, guest };
}

const collected = `
  select count(*)::int as files, coalesce(sum(size), 0) as bytes from collected_images where link_id = $1`;

/** What the link has accepted and its owner has not deleted. */
export async function collectedBy(db: ClientDatabase, { id, maxFiles, maxBytes }: FoundLink): Promise<Collected> {
  const [row] = await prepared<{ files: number; bytes: string }>(db, collected, [id]);
  return { maxFiles, maxBytes, files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0) };
}

type NewGuest = FoundGuest & { linkId: string; tokenHash: string };

/**
 * In a full link, a guest who has added nothing makes room, with open uploads: first one who sends nothing, then the
 * one who entered first.
 * @param most guests of a link; concurrent calls may exceed it a little
 * @throws TooManyGuests
 */
export async function insertGuest(db: Database, guest: NewGuest, most = 10_000): Promise<void> {
  if (await insertWithin(db, guest, most)) return;
  await db.execute(sql`
    with gone as (
      delete from collect_guests where id = (
        select guest.id from collect_guests guest
        where guest.link_id = ${guest.linkId}::uuid
          and not exists (select 1 from collected_images where guest_id = guest.id)
        order by exists (select 1 from uploads where guest_id = guest.id), guest.expires_at limit 1)
      returning id)
    delete from uploads where guest_id in (select id from gone)`);
  if (!(await insertWithin(db, guest, most))) throw new TooManyGuests();
}

async function insertWithin(db: Database, guest: NewGuest, most: number): Promise<boolean> {
  const { id, linkId, tokenHash, name, passwordVersion } = guest;
  const inserted = await db.execute(sql`
    insert into collect_guests (id, link_id, token_hash, name, password_version, expires_at)
    select ${id}::uuid, link.id, ${tokenHash}::text, ${name}::text, ${passwordVersion}::int, ${daysFromNow(IDLE_GUEST_DAYS)}
    from collect_links link
    where link.id = ${linkId}::uuid
      and (select count(*) from collect_guests where link_id = link.id) < ${most}::int
    for key share
    returning id`);
  return inserted.length > 0;
}

/** A guest enters again: with another name, or a new password. */
export async function changeGuest(db: Database, { id, name, passwordVersion }: FoundGuest): Promise<void> {
  const added = db.select({ id: collectedImages.imageId }).from(collectedImages);
  const days = sql`case when ${exists(added.where(eq(collectedImages.guestId, id)))}
    then ${GUEST_DAYS}::int else ${IDLE_GUEST_DAYS}::int end`;
  const expiresAt = sql`now() + make_interval(days => ${days})`;
  await db.update(collectGuests).set({ name, passwordVersion, expiresAt }).where(eq(collectGuests.id, id));
}

/** Guests with images stay: their owner sees the names. Others make room for new guests after a day. */
export async function deleteOldGuests(db: Database): Promise<void> {
  const theirs = db.select({ id: collectedImages.imageId }).from(collectedImages);
  await db
    .delete(collectGuests)
    .where(
      and(
        lt(collectGuests.expiresAt, sql`now()`),
        notExists(theirs.where(eq(collectedImages.guestId, collectGuests.id))),
      ),
    );
}

/** Images of a guest that the administrator has not hidden. $1 is the guest. */
const own = `
  from collected_images entry join images i on i.id = entry.image_id
  where entry.guest_id = $1 and (i.hidden_at is null or i.waiting) and (i.expires_at is null or i.expires_at > now())`;

const ownPage = `select entry.filename as "sentName", ${shownColumns} ${own}
  order by entry.image_id desc offset $2::bigint limit $3::bigint`;
const ownCount = `select count(*)::int as total ${own}`;
const ownOne = `select entry.filename as "sentName", ${allColumns} ${own} and entry.image_id = $2::uuid`;

/** The guest's images, the newest first, with the names that the guest sent. */
export async function imagesOfGuest(db: ClientDatabase, guestId: string, { page, size }: Page) {
  const [sum] = await preparedInTime<{ total: number }>(db, ownCount, [guestId]);
  const values = [guestId, (page - 1) * size, size];
  const rows = await preparedInTime<ShownColumns & { sentName: string }>(db, ownPage, values);
  return {
    total: sum?.total ?? 0,
    images: rows.map(({ sentName, ...row }): { row: ShownImage; filename: string } => ({
      row: shownImage(row),
      filename: sentName,
    })),
  };
}

/** @returns undefined if it is another guest's or the owner's */
export async function imageOfGuest(
  db: ClientDatabase,
  guestId: string,
  imageId: string,
): Promise<{ row: ImageRow; filename: string } | undefined> {
  const [row] = await prepared<Record<string, unknown>>(db, ownOne, [guestId, imageId]);
  return row && { row: imageRowOf(row), filename: String(row.sentName) };
}

const ownAmong = `select image_id as id, filename from collected_images
  where guest_id = $1 and image_id = any($2::text::uuid[])`;

/** The names that the guest sent, by image id: of those images that are the guest's. */
export async function sentNames(
  db: ClientDatabase,
  guestId: string,
  imageIds: readonly string[],
): Promise<Map<string, string>> {
  if (imageIds.length === 0) return new Map();
  const rows = await prepared<{ id: string; filename: string }>(db, ownAmong, [guestId, `{${imageIds.join(',')}}`]);
  return new Map(rows.map(({ id, filename }) => [id, filename]));
}
