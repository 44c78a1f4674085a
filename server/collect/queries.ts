/** What owners do with their collect links. public-queries.ts reads them for guests. */
import { and, desc, eq, inArray, isNotNull, isNull, lt, not, or, sql } from 'drizzle-orm';
import { type CollectLinkRow, collectedImages, collectLinks, images } from '../../drizzle/schema.ts';
import { mustHave } from '../albums/queries.ts';
import type { ClientDatabase, Database, Transaction } from '../database/connect.ts';
import { inTime } from '../database/driver/prepared.ts';
import type { Reach } from '../database/statements/access.ts';
import { TooManyCollectLinks } from '../errors.ts';
import { KEPT_DAYS } from '../images/expiry/queries.ts';
import { dropOpenUploads } from '../ingest/guest-queries.ts';

/** Collect links of an account: they are listed all at once. */
export const maxLinks = 200;

/** Ended links of an account that still answer 410. */
const maxEnded = 1000;

export type ListedLink = CollectLinkRow & { files: number; bytes: number; waiting: number };

type Own = { reach: Reach; id: string };

/** Condition on `collect_links`: those of the owner that have not been ended, or those of their one album. */
const reachable = ({ ownerId, albumId }: Reach) =>
  and(
    eq(collectLinks.ownerId, ownerId),
    isNull(collectLinks.endedAt),
    albumId === null ? undefined : eq(collectLinks.albumId, albumId),
  );

const own = ({ reach, id }: Own) => and(eq(collectLinks.id, id), reachable(reach));

type Sums = { files: number; bytes: number; waiting: number };

/** What each link has collected. */
async function sumsOf(db: Database | Transaction, linkIds: string[]): Promise<Map<string, Sums>> {
  if (linkIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: collectedImages.linkId,
      files: sql<number>`count(*)::int`,
      bytes: sql<number>`sum(${collectedImages.size})`.mapWith(Number),
      waiting: sql<number>`(count(*) filter (where ${images.waiting}))::int`,
    })
    .from(collectedImages)
    .innerJoin(images, eq(images.id, collectedImages.imageId))
    .where(inArray(collectedImages.linkId, linkIds))
    .groupBy(collectedImages.linkId);
  return new Map(rows.map(({ id, ...sums }) => [id, sums]));
}

async function withSums(db: Database | Transaction, rows: CollectLinkRow[]): Promise<ListedLink[]> {
  const sums = await sumsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, files: 0, bytes: 0, waiting: 0, ...sums.get(row.id) }));
}

/** The newest first. */
export async function listLinks(db: ClientDatabase, reach: Reach): Promise<ListedLink[]> {
  return inTime(db, async (bounded) => {
    const newest = [desc(collectLinks.createdAt), desc(collectLinks.id)];
    const rows = await bounded
      .select()
      .from(collectLinks)
      .where(reachable(reach))
      .orderBy(...newest);
    return withSums(bounded, rows);
  });
}

export async function readLink(tx: Transaction, link: Own): Promise<ListedLink | undefined> {
  const [row] = await withSums(tx, await tx.select().from(collectLinks).where(own(link)));
  return row;
}

export type NewLinkRow = Omit<CollectLinkRow, 'passwordVersion' | 'endedAt' | 'createdAt'>;

/** Call under the owner's lock. @throws NotFound, TooManyCollectLinks */
export async function insertLink(tx: Transaction, reach: Reach, row: NewLinkRow, most = maxLinks) {
  const { ownerId } = reach;
  const open = await tx.$count(collectLinks, and(eq(collectLinks.ownerId, ownerId), isNull(collectLinks.endedAt)));
  if (open >= most) throw new TooManyCollectLinks(String(most));
  await mustHave(tx, ownerId, row.albumId);
  await tx.insert(collectLinks).values(row);
  return readLink(tx, { reach, id: row.id });
}

export type LinkChanges = Partial<Omit<NewLinkRow, 'id' | 'ownerId' | 'key' | 'albumId'>>;

/** Call under the owner's lock, as uploads are: each image is stored under the settings before or after. */
export async function changeLink(tx: Transaction, link: Own, changes: LinkChanges): Promise<ListedLink | undefined> {
  const version = sql`${collectLinks.passwordVersion} + ${changes.passwordHash === undefined ? 0 : 1}::int`;
  await tx
    .update(collectLinks)
    .set({ ...changes, passwordVersion: version })
    .where(own(link));
  return readLink(tx, link);
}

/** Whether images wait for the album of the link. */
const isAwaited = sql`exists (select 1 from collected_images entry join images on images.id = entry.image_id
  where entry.link_id = ${collectLinks.id} and images.waiting)`;

/**
 * Its row stays, so that the link answers 410, and so do images that wait. Call under the owner's lock.
 * @returns its name; undefined if it was not open
 */
export async function endLink(tx: Transaction, link: Own): Promise<string | undefined> {
  const { ownerId } = link.reach;
  const set = { endedAt: sql`now()` };
  const [ended] = await tx.update(collectLinks).set(set).where(own(link)).returning({ name: collectLinks.name });
  if (!ended) return undefined;
  await dropOpenUploads(tx, { ownerId, linkId: link.id });
  const oldest = tx
    .select({ id: collectLinks.id })
    .from(collectLinks)
    .where(and(eq(collectLinks.ownerId, ownerId), isNotNull(collectLinks.endedAt), not(isAwaited)))
    .orderBy(desc(collectLinks.endedAt), desc(collectLinks.id))
    .offset(maxEnded);
  await tx.delete(collectLinks).where(and(eq(collectLinks.ownerId, ownerId), inArray(collectLinks.id, oldest)));
  return ended.name;
}

/** Deletes links that have answered 410 long enough, unless images wait for the album. */
export async function deleteOldLinks(db: Database): Promise<void> {
  const before = sql`now() - make_interval(days => ${KEPT_DAYS})`;
  const isOld = or(lt(collectLinks.endedAt, before), lt(collectLinks.expiresAt, before));
  await db.delete(collectLinks).where(and(isOld, not(isAwaited)));
}
