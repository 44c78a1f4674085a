import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import {
  albums,
  apiTokens,
  collectedImages,
  collectGuests,
  collectLinks,
  type ImageRow,
  images,
  installation,
  orphanedBlobs,
  shareImages,
  shares,
  stableLinks,
  users,
} from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { findByContent, naming } from '../../images/content/queries.ts';
import { contentIdOf } from '../../images/keys.ts';
import { imagesAfter } from '../../images/queries.ts';

const PAGE = 200;

/** Yields every image, some hundred at a time, without holding a snapshot. */
export async function* allImages(db: Database): AsyncGenerator<ImageRow> {
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; ; ) {
    const page = await imagesAfter(db, after, PAGE);
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** The image's current row; if deleted, another row with the same content. */
export async function imageNow(db: Database, image: ImageRow): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(images).where(eq(images.id, image.id));
  return row ?? findByContent(db, contentIdOf(image));
}

/** `id` is the content's id. */
type Owner = Pick<ImageRow, 'id' | 'extension' | 'hasScreen'>;

/** Images, uploads and deletions that own these ids. One statement: in two, an upload could become an image unseen. */
export async function ownersOf(db: Database, ids: string[]): Promise<Owner[]> {
  const named = db
    .selectDistinct({
      id: sql<string>`coalesce(${images.contentId}, ${images.id})`,
      extension: images.extension,
      hasScreen: images.hasScreen,
    })
    .from(images)
    .where(naming(ids));
  const orphaned = db
    .select({ id: orphanedBlobs.imageId, extension: orphanedBlobs.extension, hasScreen: sql<boolean>`true` })
    .from(orphanedBlobs)
    .where(inArray(orphanedBlobs.imageId, ids));
  return named.unionAll(orphaned);
}

export async function orphanedByProcess(db: Database): Promise<{ process: bigint; count: number }[]> {
  return db
    .select({ process: orphanedBlobs.process, count: sql<number>`count(*)::int` })
    .from(orphanedBlobs)
    .groupBy(orphanedBlobs.process);
}

export async function installationId(db: Database): Promise<string | undefined> {
  const [row] = await db.select({ id: installation.id }).from(installation);
  return row?.id;
}

const held = sql`(select count(*)::int as count, coalesce(sum(size), 0)::bigint as bytes from ${images}
  where owner_id = ${users.id})`;

type Sums = { id: string; recorded: { count: number; bytes: number }; held: { count: number; bytes: number } };

/** Accounts with wrong sums. One statement sees rows and sums at the same moment. */
export async function wrongSums(db: Database): Promise<Sums[]> {
  const rows = await db.execute<{
    id: string;
    recorded_count: string;
    recorded_bytes: string;
    count: string;
    bytes: string;
  }>(sql`
    select users.id, image_count as recorded_count, image_bytes as recorded_bytes, held.count, held.bytes
    from users left join lateral ${held} held on true
    where image_count <> held.count or image_bytes <> held.bytes order by users.id`);
  return rows.map((row) => ({
    id: row.id,
    recorded: { count: Number(row.recorded_count), bytes: Number(row.recorded_bytes) },
    held: { count: Number(row.count), bytes: Number(row.bytes) },
  }));
}

/** Takes the row lock that every change of images takes; weak enough not to block logins. */
export async function repairSums(db: Database, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [locked] = await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
    if (!locked) return;
    const [sums] = await tx
      .select({ imageCount: sql<number>`count(*)::int`, imageBytes: sql<string>`coalesce(sum(${images.size}), 0)` })
      .from(images)
      .where(eq(images.ownerId, id));
    const imageBytes = Number(sums?.imageBytes ?? 0);
    await tx
      .update(users)
      .set({ imageCount: sums?.imageCount ?? 0, imageBytes })
      .where(eq(users.id, id));
  });
}

/** Ids of tokens whose album belongs to another account. No foreign key prevents that. */
export async function tokensOfOtherAlbums(db: Database): Promise<string[]> {
  const rows = await db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .innerJoin(albums, and(eq(albums.id, apiTokens.albumId), ne(albums.ownerId, apiTokens.ownerId)))
    .orderBy(apiTokens.id);
  return rows.map(({ id }) => id);
}

export async function endToken(db: Database, id: string): Promise<void> {
  await db.delete(apiTokens).where(eq(apiTokens.id, id));
}

/** Ids of shares that show another account's album or images. No foreign key prevents that. */
export async function sharesOfOthers(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: shares.id })
    .from(shares)
    .leftJoin(albums, eq(albums.id, shares.albumId))
    .leftJoin(shareImages, eq(shareImages.shareId, shares.id))
    .leftJoin(images, eq(images.id, shareImages.imageId))
    .where(or(ne(albums.ownerId, shares.ownerId), ne(images.ownerId, shares.ownerId)))
    .orderBy(shares.id);
  return rows.map(({ id }) => id);
}

/** Ids of collect links with another account's album or images, or another link's guests. No foreign key prevents that. */
export async function collectLinksOfOthers(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: collectLinks.id })
    .from(collectLinks)
    .innerJoin(albums, eq(albums.id, collectLinks.albumId))
    .leftJoin(collectedImages, eq(collectedImages.linkId, collectLinks.id))
    .leftJoin(images, eq(images.id, collectedImages.imageId))
    .leftJoin(collectGuests, eq(collectGuests.id, collectedImages.guestId))
    .where(
      or(
        ne(albums.ownerId, collectLinks.ownerId),
        ne(collectedImages.ownerId, collectLinks.ownerId),
        ne(images.ownerId, collectLinks.ownerId),
        ne(collectGuests.linkId, collectLinks.id),
      ),
    )
    .orderBy(collectLinks.id);
  return rows.map(({ id }) => id);
}

export async function deleteCollectLink(db: Database, id: string): Promise<void> {
  await db.delete(collectLinks).where(eq(collectLinks.id, id));
}

export async function deleteShare(db: Database, id: string): Promise<void> {
  await db.delete(shares).where(eq(shares.id, id));
}

/** Ids of stable links whose image belongs to another account. No foreign key prevents that. */
export async function stableLinksOfOtherImages(db: Database): Promise<string[]> {
  const rows = await db
    .select({ id: stableLinks.id })
    .from(stableLinks)
    .innerJoin(images, and(eq(images.id, stableLinks.imageId), ne(images.ownerId, stableLinks.ownerId)))
    .orderBy(stableLinks.id);
  return rows.map(({ id }) => id);
}

/** The name stays its owner's. */
export async function emptyStableLink(db: Database, id: string): Promise<void> {
  await db.update(stableLinks).set({ imageId: null }).where(eq(stableLinks.id, id));
}

/** ms since 1970, by the database's clock. */
export async function databaseTime(db: Database): Promise<number> {
  const [row] = await db.execute<{ now: string }>(sql`select extract(epoch from clock_timestamp()) * 1000 as now`);
  return Number(row?.now);
}

/** Whether this connection has superuser rights in Postgres. */
export async function isSuperuser(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ yes: boolean }>(
    sql`select rolsuper as yes from pg_roles where rolname = current_user`,
  );
  return row?.yes === true;
}
