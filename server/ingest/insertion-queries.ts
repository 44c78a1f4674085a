import { and, eq, inArray, sql } from 'drizzle-orm';
import { type ImageRow, images, type NewImageRow, orphanedBlobs } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inLinkMutex, inOwnerMutex } from '../database/statements/owner-mutex.ts';
import { DatabaseUnavailable, Unauthorized } from '../errors.ts';
import { type Content, contentOf } from '../images/content/content.ts';
import { lockAlike, lockNaming, naming } from '../images/content/queries.ts';
import { endOf, hasEnded } from '../images/expiry/expiry.ts';
import { contentIdOf } from '../images/keys.ts';
import { type Held, type Quota, quotaExceeded, quotaOf, whatFits } from '../images/quota.ts';
import { changeHeld, decided, lockOwner, type Stored } from '../images/transactions.ts';
import { inOrder, keysOf, notPresent, withoutForeignKeys } from './upload-keys.ts';

/** Rows of one statement. Postgres limits a statement to 65,535 parameters. */
const batch = 1000;

/** Runs before the bytes are renamed into place. */
export async function insertOrphaned(db: Database, contents: Stored[], process: bigint): Promise<void> {
  await db.insert(orphanedBlobs).values(contents.map(({ id, extension }) => ({ imageId: id, extension, process })));
}

/** An image to insert, without the columns that follow from its bytes. */
export type NewImage = Pick<
  NewImageRow,
  'linkKey' | 'uploadKey' | 'filename' | 'description' | 'searchName' | 'expiresAt' | 'deleteHash'
> & {
  id: string;
  sha256: string;
  size: number;
};

export type Deduplicated = {
  /** The content that this upload wrote; orphaned until the transaction commits. */
  own?: Content | undefined;
  /** Contents of the owner that have these bytes (verified), or lost or damaged them (corrupt). */
  verified: ReadonlySet<string>;
  corrupt: ReadonlySet<string>;
};

/** Bytes that must be verified or decoded before their images can be stored. */
export type UnknownBytes = {
  sha256: string;
  /** An image of the owner that should have the bytes, if there is one. */
  alike: ImageRow | undefined;
};

/** Runs in the transaction that stores the images; its error rolls back both. @param present stored earlier under the same upload keys */
export type Alongside = (tx: Transaction, stored: ImageRow[], present: ImageRow[]) => Promise<void>;

/** What an upload may store within the owner's quota, and how. */
export type Allowance = {
  left: Held;
  /** For images beyond `left`, and for those beyond the quota. */
  refusals: { left: Error; quota: Error };
  columns: Pick<NewImageRow, 'hiddenAt' | 'waiting'>;
};

/** Runs in the transaction that stores the images, under the owner's lock; its error refuses all. */
export type Within = (tx: Transaction) => Promise<Allowance>;

type Upload = {
  ownerId: string;
  /** The collect link of a guest. */
  linkId?: string | undefined;
  images: NewImage[];
  /** By SHA-256. */
  deduplicated: ReadonlyMap<string, Deduplicated>;
  process: bigint;
  /** The server's. */
  quota: Quota;
  allOrNone?: boolean | undefined;
  within?: Within | undefined;
  alongside?: Alongside | undefined;
};

/** The images in their order, the orphaned contents, and why the others were refused, by image id. */
export type Inserted = { stored: ImageRow[]; released: Stored[]; refusals: Map<string, Error> };

/** Stored contents changed during the upload: nothing was inserted, and these bytes must be verified or decoded first. */
type ContentsChanged = { unknownBytes: UnknownBytes[] };

/** Finds each image's content: a verified one of the owner, or the upload's own. The owner's lock prevents deletions. */
async function placeContents(
  tx: Transaction,
  { ownerId, images: some, deduplicated }: Pick<Upload, 'ownerId' | 'images' | 'deduplicated'>,
): Promise<{ contents: Map<string, Content>; unknownBytes: UnknownBytes[] }> {
  const sums = [...new Set(some.map(({ sha256 }) => sha256))];
  const corrupt = sums.flatMap((sum) => [...(deduplicated.get(sum)?.corrupt ?? [])]);
  const alike = new Map((await lockAlike(tx, ownerId, sums, corrupt)).map((row) => [row.sha256, row]));
  const contents = new Map<string, Content>();
  const unknownBytes: UnknownBytes[] = [];
  for (const sha256 of sums) {
    const present = alike.get(sha256);
    const { own, verified } = deduplicated.get(sha256) ?? {};
    const known = present ? verified?.has(contentIdOf(present)) : own !== undefined;
    const content = present ? contentOf(present) : own;
    if (known && content) contents.set(sha256, content);
    else unknownBytes.push({ sha256, alike: present });
  }
  return { contents, unknownBytes };
}

/** Points the owner's images with lost or damaged bytes to the new content. @returns the replaced contents */
async function replaceCorrupt(
  tx: Transaction,
  ownerId: string,
  own: Content,
  corrupt: ReadonlySet<string>,
  process: bigint,
): Promise<Stored[]> {
  if (corrupt.size === 0) return [];
  const rows = await lockNaming(tx, ownerId, [...corrupt]);
  const left = new Map(rows.map((row) => [contentIdOf(row), { id: contentIdOf(row), extension: row.extension }]));
  if (left.size === 0) return [];
  await tx
    .update(images)
    .set(own)
    .where(and(eq(images.ownerId, ownerId), naming([...left.keys()])));
  await tx
    .insert(orphanedBlobs)
    .values([...left.values()].map(({ id, extension }) => ({ imageId: id, extension, process })));
  return [...left.values()];
}

/**
 * Inserts the images that fit the owner's quota, or none if all must fit. An image stored earlier under the same upload key is returned as it is.
 * @throws Undecided; Unauthorized if the account is deleted; DatabaseUnavailable if another process took this one for dead
 *   and may have removed the bytes; after any error but Undecided nothing is stored
 */
export async function insertImages(
  db: Database,
  { ownerId, linkId, images: sent, deduplicated, process, quota, allOrNone, within, alongside }: Upload,
): Promise<Inserted | ContentsChanged> {
  const insert = async (tx: Transaction, released: Stored[]): Promise<Inserted | ContentsChanged> => {
    const before = await lockOwner(tx, ownerId);
    if (!before) throw new Unauthorized();
    const present = await presentUnder(tx, ownerId, keysOf(sent));
    const wanted = withoutForeignKeys(sent, present);
    const fresh = notPresent(wanted, present);
    const allowance = await within?.(tx);
    const allowed = allowance ? whatFits(fresh, { images: 0, bytes: 0 }, allowance.left).fitting : fresh;
    const limits = quotaOf(before, quota);
    const { fitting, held } = whatFits(allowed, before, limits);
    const isNone = fitting.length === 0 || (allOrNone && fitting.length < fresh.length);
    const kept = isNone ? [] : fitting;
    const refusals = refusalsBeyond(
      allowance?.refusals ?? { quota: quotaExceeded(held, limits) },
      fresh.filter((image) => !kept.includes(image)),
      allowed,
    );
    const already = inOrder(wanted, present);
    if (isNone) {
      if (already.length > 0) await alongside?.(tx, [], already);
      return { stored: already, released, refusals };
    }
    const { contents, unknownBytes } = await placeContents(tx, { ownerId, images: fitting, deduplicated });
    if (unknownBytes.length > 0) return { unknownBytes };
    const own = [...contents].filter(([sha256, content]) => deduplicated.get(sha256)?.own === content);
    await claimOrphaned(
      tx,
      own.map(([, { contentId }]) => contentId),
      process,
    );
    for (const [sha256, content] of own) {
      released.push(
        ...(await replaceCorrupt(tx, ownerId, content, deduplicated.get(sha256)?.corrupt ?? new Set(), process)),
      );
    }
    const rows = fitting.map((image) => {
      const row = rowOf(image, ownerId, contents.get(image.sha256));
      // What an administrator has hidden stays hidden, and its owner cannot admit it.
      return row.hiddenAt ? row : { ...row, ...allowance?.columns };
    });
    const stored: ImageRow[] = [];
    for (let at = 0; at < rows.length; at += batch) {
      stored.push(
        ...(await tx
          .insert(images)
          .values(rows.slice(at, at + batch))
          .returning()),
      );
    }
    await alongside?.(tx, stored, already);
    await changeHeld(tx, ownerId, { images: held.images - before.images, bytes: held.bytes - before.bytes });
    return { stored: inOrder(wanted, [...present, ...stored]), released, refusals };
  };
  const inTurn = () => inOwnerMutex(ownerId, () => decided(db, insert));
  return linkId === undefined ? inTurn() : inLinkMutex(linkId, inTurn);
}

function refusalsBeyond(
  { left, quota }: { left?: Error; quota: Error },
  refused: NewImage[],
  allowed: NewImage[],
): Map<string, Error> {
  return new Map(refused.map((image) => [image.id, allowed.includes(image) ? quota : (left ?? quota)]));
}

/** The order makes Postgres use images_upload_key: by equality alone, it may read all images of an owner new to its statistics. */
async function keyed(db: Database | Transaction, ownerId: string, keys: string[]): Promise<ImageRow[]> {
  if (keys.length === 0) return [];
  const wanted = sql.join(
    keys.map((key) => sql`(${key}::text)`),
    sql`, `,
  );
  const found = await db.execute<{ id: string }>(sql`
    select image.id from (values ${wanted}) as wanted (key) cross join lateral (
      select images.id, images.upload_key from images where owner_id = ${ownerId} and images.upload_key >= wanted.key
      order by images.upload_key limit 1
    ) image where image.upload_key = wanted.key`);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  return db.select().from(images).where(inArray(images.id, ids));
}

const isLive = (row: ImageRow): boolean => !hasEnded(endOf(row));

/** The images under the keys, without expired ones that are not deleted yet. */
export const findUploaded = async (db: Database, ownerId: string, keys: string[]): Promise<ImageRow[]> =>
  (await keyed(db, ownerId, keys)).filter(isLive);

/** Like `findUploaded`; also takes their keys from expired images, because a key belongs to one image. */
async function presentUnder(tx: Transaction, ownerId: string, keys: string[]): Promise<ImageRow[]> {
  const rows = await keyed(tx, ownerId, keys);
  const present = rows.filter(isLive);
  if (present.length === rows.length) return present;
  const expired = rows.filter((row) => !isLive(row)).map(({ id }) => id);
  await tx.update(images).set({ uploadKey: null }).where(inArray(images.id, expired));
  return present;
}

function rowOf(image: NewImage, ownerId: string, content: Content | undefined): NewImageRow {
  if (!content) throw new TypeError('an image has no content');
  const contentId = content.contentId === image.id ? null : content.contentId;
  return { ...content, ...image, ownerId, contentId };
}

/** Deletes the orphaned-blob rows of contents. @throws DatabaseUnavailable if another process has taken them over */
async function claimOrphaned(tx: Transaction, contents: string[], process: bigint): Promise<void> {
  if (contents.length === 0) return;
  const ours = and(inArray(orphanedBlobs.imageId, contents), eq(orphanedBlobs.process, process));
  const settled = await tx.delete(orphanedBlobs).where(ours).returning({ id: orphanedBlobs.imageId });
  if (settled.length !== contents.length) throw new DatabaseUnavailable();
}
