/** Images that wait until their owner admits them. Until then they are hidden, and in no album. */
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { collectedImages, collectGuests, collectLinks, type ImageRow, images } from '../../drizzle/schema.ts';
import { addUploaded } from '../albums/image-queries.ts';
import type { ClientDatabase, Database } from '../database/connect.ts';
import { inTime } from '../database/driver/prepared.ts';
import type { Reach } from '../database/statements/access.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import type { Page } from '../gallery/pages.ts';
import { isUnexpired } from '../images/expiry/queries.ts';

export type WaitingRow = { row: ImageRow; linkId: string | null; albumId: string | null; guest: string | null };

/** Condition: those of the owner, or those for their one album. `hidden_at` fits the index. */
const waitingIn = ({ ownerId, albumId }: Reach) =>
  and(
    eq(images.ownerId, ownerId),
    isNotNull(images.hiddenAt),
    images.waiting,
    isUnexpired,
    albumId === null ? undefined : eq(collectLinks.albumId, albumId),
  );

/** The newest first. */
export async function waitingPage(db: ClientDatabase, reach: Reach, { page, size }: Page) {
  return inTime(db, async (bounded) => {
    const fields = {
      row: images,
      linkId: collectLinks.id,
      albumId: collectLinks.albumId,
      guest: collectGuests.name,
    };
    const rows: WaitingRow[] = await bounded
      .select(fields)
      .from(images)
      .leftJoin(collectedImages, eq(collectedImages.imageId, images.id))
      .leftJoin(collectLinks, eq(collectLinks.id, collectedImages.linkId))
      .leftJoin(collectGuests, eq(collectGuests.id, collectedImages.guestId))
      .where(waitingIn(reach))
      .orderBy(desc(images.id))
      .offset((page - 1) * size)
      .limit(size);
    const [sum] = await bounded
      .select({ total: sql<number>`count(*)::int` })
      .from(images)
      .leftJoin(collectedImages, eq(collectedImages.imageId, images.id))
      .leftJoin(collectLinks, eq(collectLinks.id, collectedImages.linkId))
      .where(waitingIn(reach));
    return { rows, total: sum?.total ?? 0 };
  });
}

type Waiting = { row: ImageRow; albumId: string | null };

/** In the order of their uploads. */
export async function findWaiting(db: Pick<Database, 'select'>, reach: Reach, ids: string[]): Promise<Waiting[]> {
  return db
    .select({ row: images, albumId: collectLinks.albumId })
    .from(images)
    .leftJoin(collectedImages, eq(collectedImages.imageId, images.id))
    .leftJoin(collectLinks, eq(collectLinks.id, collectedImages.linkId))
    .where(and(inArray(images.id, ids), waitingIn(reach)))
    .orderBy(images.id);
}

/** Opens the images and puts them into the albums of their links. @returns those that waited @throws AlbumFull, Unauthorized */
export async function admitImages(db: Database, reach: Reach, ids: string[]): Promise<ImageRow[]> {
  const { ownerId } = reach;
  return underOwnerLock(db, ownerId, async (tx) => {
    const found = await findWaiting(tx, reach, ids);
    if (found.length === 0) return [];
    const theirs = inArray(
      images.id,
      found.map(({ row }) => row.id),
    );
    // The administrator may have hidden one since it was found.
    const rows = await tx
      .update(images)
      .set({ waiting: false, hiddenAt: null })
      .where(and(eq(images.ownerId, ownerId), theirs, images.waiting))
      .returning();
    const admitted = new Set(rows.map(({ id }) => id));
    await tx
      .update(collectedImages)
      .set({ admitted: true })
      .where(inArray(collectedImages.imageId, [...admitted]));
    for (const albumId of new Set(found.flatMap((one) => one.albumId ?? []))) {
      const stored = found.filter(({ row, albumId: own }) => own === albumId && admitted.has(row.id));
      await addUploaded(tx, { ownerId, albumId, stored: stored.map(({ row }) => row.id), present: [] });
    }
    return rows;
  });
}
