import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type ImageRow, images, type StableLinkRow, stableLinks, users } from '../../drizzle/schema.ts';
import { type Database, type Transaction, uniqueViolation } from '../database/connect.ts';
import { everythingOf, reachableImages } from '../database/statements/access.ts';
import { refuseHeldName } from '../database/statements/held-names.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import { NameTaken, TooManyStableLinks } from '../errors.ts';
import { ENDED, type Ended } from '../images/expiry/expiry.ts';
import { isUnexpired, KEPT_DAYS } from '../images/expiry/queries.ts';
import { noSuchImage } from '../images/refusals.ts';
import { noSuchStableLink } from './refusals.ts';

/** Stable links of an account: they are listed all at once, and names are scarce. */
export const MAX_STABLE_LINKS = 500;

export type FoundStableLink = { link: StableLinkRow; image: ImageRow | null };

const found = (db: Database | Transaction) =>
  db
    .select({ link: stableLinks, image: images })
    .from(stableLinks)
    // No foreign key prevents that the image belongs to another account.
    .leftJoin(images, and(eq(images.id, stableLinks.imageId), eq(images.ownerId, stableLinks.ownerId)));

const own = (ownerId: string, id: string) => and(eq(stableLinks.ownerId, ownerId), eq(stableLinks.id, id));

/** By name. */
export async function listStableLinks(db: Database, ownerId: string): Promise<FoundStableLink[]> {
  return found(db).where(eq(stableLinks.ownerId, ownerId)).orderBy(asc(stableLinks.name));
}

async function findStableLink(db: Database | Transaction, ownerId: string, id: string): Promise<FoundStableLink> {
  const [row] = await found(db).where(own(ownerId, id));
  if (!row) throw noSuchStableLink();
  return row;
}

/** @throws NotFound, also for an expired image */
async function mustHaveImage(tx: Transaction, ownerId: string, id: string): Promise<void> {
  const rows = await tx
    .select({ id: images.id })
    .from(images)
    .where(and(eq(images.id, id), reachableImages(everythingOf(ownerId)), isUnexpired));
  if (rows.length === 0) throw noSuchImage();
}

type NewStableLink = { name: string; imageId: string };

/** @throws NotFound for an unknown image; NameTaken, TooManyStableLinks, Unauthorized */
export async function insertStableLink(
  db: Database,
  ownerId: string,
  { name, imageId }: NewStableLink,
): Promise<FoundStableLink> {
  return underOwnerLock(db, ownerId, async (tx) => {
    await mustHaveImage(tx, ownerId, imageId);
    const held = await tx.$count(stableLinks, eq(stableLinks.ownerId, ownerId));
    if (held >= MAX_STABLE_LINKS) throw new TooManyStableLinks(String(MAX_STABLE_LINKS));
    const id = uuidv7();
    const row = { id, ownerId, name, imageId };
    const inserted = await tx.insert(stableLinks).values(row).onConflictDoNothing().returning({ id: stableLinks.id });
    if (inserted.length === 0) throw new NameTaken();
    await refuseHeldName(tx, { kind: 'stable-link', name, ownerId });
    return findStableLink(tx, ownerId, id);
  });
}

/** Makes all changes or none. @throws NotFound for an unknown link or image; NameTaken, Unauthorized */
export async function changeStableLink(
  db: Database,
  ownerId: string,
  id: string,
  { name, imageId }: Partial<NewStableLink>,
): Promise<FoundStableLink> {
  const change = async (tx: Transaction) => {
    if (imageId !== undefined) await mustHaveImage(tx, ownerId, imageId);
    await tx
      .update(stableLinks)
      .set({
        ...(name === undefined ? {} : { name }),
        ...(imageId === undefined ? {} : { imageId, endedAt: null }),
        changedAt: sql`now()`,
      })
      .where(own(ownerId, id));
    await refuseHeldName(tx, { kind: 'stable-link', name, ownerId });
    return findStableLink(tx, ownerId, id);
  };
  try {
    return await underOwnerLock(db, ownerId, change);
  } catch (error) {
    if (uniqueViolation(error) === 'stable_links_name_unique') throw new NameTaken();
    throw error;
  }
}

/** The name becomes free. @returns whether the account had this link */
export async function deleteStableLink(db: Database, ownerId: string, id: string): Promise<boolean> {
  return (await db.delete(stableLinks).where(own(ownerId, id)).returning({ id: stableLinks.id })).length > 0;
}

/**
 * @returns the image, also a hidden or expired one; ENDED if it expired and was deleted; undefined if the name has none,
 *   or its owner is disabled or has silenced links
 */
export async function findImageByName(db: Database, name: string): Promise<ImageRow | Ended | undefined> {
  const keptSince = sql`now() - make_interval(days => ${KEPT_DAYS})`;
  const [row] = await db
    .select({ image: images, isEnded: sql<boolean>`coalesce(${stableLinks.endedAt} > ${keptSince}, false)` })
    .from(stableLinks)
    .innerJoin(users, eq(users.id, stableLinks.ownerId))
    .leftJoin(images, and(eq(images.id, stableLinks.imageId), eq(images.ownerId, stableLinks.ownerId)))
    .where(and(eq(stableLinks.name, name), isNull(users.disabledAt), isNull(users.linksSilencedAt)));
  return row?.image ?? (row?.isEnded ? ENDED : undefined);
}
