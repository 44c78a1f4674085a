/** What guests of collect links (server/collect/) may store. Checked under the owner's lock, so that limits hold under races. */
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { collectedImages, collectGuests, collectLinks, type ImageRow, uploads } from '../../drizzle/schema.ts';
import { addUploaded } from '../albums/image-queries.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inLinkMutex } from '../database/statements/owner-mutex.ts';
import { AlbumFull, CollectEnded, CollectFull, GalleryFull, GuestNeeded } from '../errors.ts';
import { tooManyRequests } from '../http/limits/rate-limit.ts';
import { hasEnded, NEVER } from '../images/expiry/expiry.ts';
import { type Held, sizeText } from '../images/quota.ts';
import type { Keeping } from './ingest.ts';
import type { Allowance } from './insertion-queries.ts';

/** Days for which the cookie identifies a guest who has added images, and one who has not. */
export const GUEST_DAYS = 90;
export const IDLE_GUEST_DAYS = 1;

export const daysFromNow = (days: number) => sql`now() + make_interval(days => ${days}::int)`;

/** Guests of a link who may wait for the lock of its owner. */
const maxWaiting = 10;
/** Milliseconds until a refused guest may try again. */
const comeBack = 5000;

/** @throws TooManyRequests */
export function assertGuestTurn(linkId: string): void {
  if (inLinkMutex.inside(linkId) > maxWaiting) throw tooManyRequests(comeBack);
}

/** What a collect link accepts in all, and what it has accepted. */
export type Collected = { maxFiles: number; maxBytes: number; files: number; bytes: number };

/** What it still accepts; negative if its limits were lowered. */
export const leftOf = ({ maxFiles, maxBytes, files, bytes }: Collected): Held => ({
  images: maxFiles - files,
  bytes: maxBytes - bytes,
});

export const collectFull = ({ maxFiles, maxBytes }: Pick<Collected, 'maxFiles' | 'maxBytes'>) =>
  new CollectFull(`${maxFiles} ${maxFiles === 1 ? 'image' : 'images'} and ${sizeText(maxBytes)}`);

type OpenLink = Collected & { id: string; ownerId: string; lookFirst: boolean };

/** @throws CollectEnded, also while the owner is disabled; GuestNeeded after a new password */
async function openLinkOf(tx: Database | Transaction, guestId: string): Promise<OpenLink> {
  const [row] = await tx.execute<
    OpenLink & { end: number | null; isOwnerActive: boolean; isCurrent: boolean; bytes: string; maxBytes: string }
  >(sql`
    select link.id, link.owner_id as "ownerId", link.look_first as "lookFirst", link.max_files as "maxFiles",
      link.max_bytes as "maxBytes", held.files, held.bytes,
      date_part('epoch', least(link.expires_at, link.ended_at)) * 1000 as "end",
      owner.disabled_at is null and owner.links_silenced_at is null as "isOwnerActive",
      (link.password_hash is null or guest.password_version = link.password_version) and guest.expires_at > now() as "isCurrent"
    from collect_guests guest
      join collect_links link on link.id = guest.link_id
      join users owner on owner.id = link.owner_id,
      lateral (select count(*)::int as files, coalesce(sum(size), 0) as bytes from collected_images
        where link_id = link.id) held
    where guest.id = ${guestId}`);
  if (!row?.isOwnerActive || hasEnded(row.end ?? NEVER)) throw new CollectEnded();
  if (!row.isCurrent) throw new GuestNeeded();
  return { ...row, bytes: Number(row.bytes), maxBytes: Number(row.maxBytes) };
}

async function allowanceOf(tx: Transaction, guestId: string): Promise<Allowance> {
  const link = await openLinkOf(tx, guestId);
  return {
    left: leftOf(link),
    refusals: { left: collectFull(link), quota: new GalleryFull() },
    columns: link.lookFirst ? { hiddenAt: new Date(), waiting: true } : {},
  };
}

/** Images that must be admitted go into the album when their owner admits them. */
async function recordCollected(tx: Transaction, guestId: string, stored: ImageRow[]): Promise<void> {
  if (stored.length === 0) return;
  const [link] = await tx
    .select({
      ...{ id: collectLinks.id, ownerId: collectLinks.ownerId, albumId: collectLinks.albumId },
      lookFirst: collectLinks.lookFirst,
    })
    .from(collectGuests)
    .innerJoin(collectLinks, eq(collectLinks.id, collectGuests.linkId))
    .where(eq(collectGuests.id, guestId));
  if (!link) throw new CollectEnded();
  const { id: linkId, ownerId, albumId, lookFirst } = link;
  await tx.insert(collectedImages).values(
    stored.map(({ id: imageId, filename, size }) => ({
      ...{ imageId, linkId, guestId, ownerId },
      ...{ filename, size, admitted: !lookFirst },
    })),
  );
  const { expiresAt } = collectGuests;
  const isNew = lt(expiresAt, sql`now() + make_interval(days => ${IDLE_GUEST_DAYS})`);
  await tx
    .update(collectGuests)
    .set({ expiresAt: daysFromNow(GUEST_DAYS) })
    .where(and(eq(collectGuests.id, guestId), isNew));
  if (lookFirst) return;
  const admitted = stored.map(({ id }) => id);
  await addUploaded(tx, { ownerId, albumId, stored: admitted, present: [] }).catch((error) => {
    throw error instanceof AlbumFull ? new AlbumFull('The album is full. Ask the person who sent the link.') : error;
  });
}

/** Deletes what guests of the link have not finished: its bytes would claim the owner's quota. */
export async function dropOpenUploads(tx: Transaction, { ownerId, linkId }: { ownerId: string; linkId: string }) {
  const guests = tx.select({ id: collectGuests.id }).from(collectGuests).where(eq(collectGuests.linkId, linkId));
  const open = and(isNull(uploads.imageId), isNull(uploads.refusal));
  await tx.delete(uploads).where(and(eq(uploads.ownerId, ownerId), inArray(uploads.guestId, guests), open));
}

export const keepingOfGuest = (guestId: string): Keeping => ({
  within: (tx) => allowanceOf(tx, guestId),
  alongside: (tx, stored) => recordCollected(tx, guestId, stored),
});

/** Unfinished uploads of the link's guests. */
const openOf = (ownerId: string, linkId: string) => sql`
  from ${uploads} join ${collectGuests} guest on guest.id = ${uploads.guestId}
  where ${uploads.ownerId} = ${ownerId} and guest.link_id = ${linkId}
    and ${uploads.imageId} is null and ${uploads.refusal} is null and ${uploads.expiresAt} > now()`;

/**
 * Bytes that have arrived count for all guests of the link, because they are on the disk. What was announced and not sent
 * counts for its own guest only: anyone can announce. An unfinished upload with the same key is replaced, so it does not count.
 */
export async function refuseOpening(
  tx: Database | Transaction,
  { guestId, uploadKey, size }: { guestId: string; uploadKey: string | null; size: number },
): Promise<Error | undefined> {
  const link = await openLinkOf(tx, guestId);
  const isOwn = sql`${uploads.guestId} = ${guestId}::uuid`;
  const [open] = await tx.execute<{ files: number; bytes: string }>(sql`
    select (count(*) filter (where ${isOwn}))::int as files,
      coalesce(sum(case when ${isOwn} then ${uploads.size} else ${uploads.received} end), 0) as bytes
    ${openOf(link.ownerId, link.id)}
      and (${uploads.uploadKey} = ${uploadKey}::text and ${isOwn}) is not true`);
  const claimed = { ...link, files: link.files + (open?.files ?? 0), bytes: link.bytes + Number(open?.bytes ?? 0) };
  const left = leftOf(claimed);
  return left.images < 1 || left.bytes < size ? collectFull(claimed) : undefined;
}

/** Deletes an upload whose guests have together sent more than the link accepts. @throws CollectFull, CollectEnded, GuestNeeded */
export async function assertFits(db: Database, { id, guestId }: { id: string; guestId: string }): Promise<void> {
  const link = await openLinkOf(db, guestId);
  const [open] = await db.execute<{ bytes: string }>(
    sql`select coalesce(sum(${uploads.received}), 0) as bytes ${openOf(link.ownerId, link.id)}`,
  );
  if (link.bytes + Number(open?.bytes ?? 0) <= link.maxBytes) return;
  await db.delete(uploads).where(eq(uploads.id, id));
  throw collectFull(link);
}
