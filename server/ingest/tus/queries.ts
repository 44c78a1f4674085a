import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { type UploadRow, uploads } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { reachableUploads, type Uploader } from '../../database/statements/access.ts';
import { inOwnerMutex } from '../../database/statements/owner-mutex.ts';
import { Unauthorized } from '../../errors.ts';
import type { Held, OwnQuota } from '../../images/quota.ts';
import { lockOwner } from '../../images/transactions.ts';

const inADay = sql`now() + interval '24 hours'`;
const undecided = and(isNull(uploads.imageId), isNull(uploads.refusal));
const decided = or(isNotNull(uploads.imageId), isNotNull(uploads.refusal));
const alive = gt(uploads.expiresAt, sql`now()`);

/** Decided uploads kept for an account, and for each guest. Clients request an outcome at once, or after they reconnect. */
const maxDecided = 1000;

/** Usage of an account, stored images and open uploads together; `open` uploads of the same account or guest; bytes `toCome`. */
type Claimed = Held & OwnQuota & { open: number; toCome: number };

/** Openings of one account run one at a time. Those of its guests do not count against its own. @throws the error of `refuse`; Unauthorized if the account is deleted */
export async function openUpload(
  db: Database,
  upload: Pick<UploadRow, 'id' | 'ownerId' | 'tokenId' | 'albumId' | 'filename' | 'size'> &
    Partial<Pick<UploadRow, 'expiresIn' | 'deleteLink' | 'uploadKey' | 'guestId'>>,
  refuse: (claimed: Claimed, tx: Transaction) => Error | undefined | Promise<Error | undefined>,
): Promise<UploadRow> {
  const open = async (tx: Transaction) => {
    const held = await lockOwner(tx, upload.ownerId);
    if (!held) throw new Unauthorized();
    await deleteReplaced(tx, upload);
    const ofSame = sql`${uploads.guestId} is not distinct from ${upload.guestId ?? null}::uuid`;
    const [claimed] = await tx
      .select({
        count: sql<number>`count(*)::int`,
        open: sql<number>`(count(*) filter (where ${ofSame}))::int`,
        bytes: sql<number>`coalesce(sum(${uploads.size}), 0)::float8`,
        toCome: sql<number>`coalesce(sum(${uploads.size} - ${uploads.received}), 0)::float8`,
      })
      .from(uploads)
      .where(and(eq(uploads.ownerId, upload.ownerId), undecided, alive, upload.guestId ? undefined : ofSame));
    const { count, open, bytes, toCome } = claimed ?? { count: 0, open: 0, bytes: 0, toCome: 0 };
    const all = { ...held, images: held.images + count, bytes: held.bytes + bytes };
    const error = await refuse({ ...all, open, toCome }, tx);
    if (error) throw error;
    const old = tx
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(eq(uploads.ownerId, upload.ownerId), decided, ofSame))
      .orderBy(desc(uploads.expiresAt))
      .offset(maxDecided);
    await tx.delete(uploads).where(inArray(uploads.id, old));
    const [row] = await tx
      .insert(uploads)
      .values({ ...upload, expiresAt: inADay })
      .returning();
    if (!row) throw new Error('an insert answered no row');
    return row;
  };
  return inOwnerMutex(upload.ownerId, () => db.transaction(open));
}

/** A guest's unfinished upload of the same file, which its page forgot. It would count against the limits of the link. */
async function deleteReplaced(
  tx: Transaction,
  { ownerId, guestId, uploadKey }: Partial<UploadRow> & { ownerId: string },
): Promise<void> {
  if (!guestId || !uploadKey) return;
  const same = and(eq(uploads.ownerId, ownerId), eq(uploads.guestId, guestId), eq(uploads.uploadKey, uploadKey));
  await tx.delete(uploads).where(and(same, undecided));
}

export async function findUpload(db: Database, access: Uploader, id: string): Promise<UploadRow | undefined> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), reachableUploads(access), alive));
  return row;
}

/** Records synced bytes up to `to`. Only the first writer from `received` succeeds; any other gets undefined. */
export async function advance(
  db: Database,
  { id, received: from }: Pick<UploadRow, 'id' | 'received'>,
  to: number,
  pieces: string[],
): Promise<UploadRow | undefined> {
  const [row] = await db
    .update(uploads)
    .set({ received: to, pieces, expiresAt: inADay })
    .where(and(eq(uploads.id, id), eq(uploads.received, from), undecided))
    .returning();
  return row;
}

/** @param tx the transaction that stores the image @returns false if the upload is already decided or deleted */
export async function decideStored(tx: Transaction, id: string, imageId: string): Promise<boolean> {
  const rows = await tx
    .update(uploads)
    .set({ imageId })
    .where(and(eq(uploads.id, id), undecided))
    .returning({ id: uploads.id });
  return rows.length > 0;
}

export async function decideRefused(
  db: Database,
  id: string,
  refusal: NonNullable<UploadRow['refusal']>,
): Promise<void> {
  await db
    .update(uploads)
    .set({ refusal })
    .where(and(eq(uploads.id, id), undecided));
}

export async function deleteUpload(db: Database, id: string): Promise<void> {
  await db.delete(uploads).where(eq(uploads.id, id));
}

/** Keeps a decided upload: another process may have stored its bytes meanwhile. */
export async function deleteUndecided(db: Database, id: string): Promise<void> {
  await db.delete(uploads).where(and(eq(uploads.id, id), undecided));
}

export async function deleteExpired(db: Database): Promise<void> {
  await db.delete(uploads).where(lt(uploads.expiresAt, sql`now()`));
}

/** The ids whose bytes are still needed. */
export async function undecidedOf(db: Database, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(inArray(uploads.id, ids), undecided));
  return new Set(rows.map(({ id }) => id));
}

/** Complete, undecided uploads of a stopped process, in random order: those that cannot be decided do not block others. */
export async function leftWhole(db: Database, limit: number): Promise<UploadRow[]> {
  const quiet = lt(uploads.expiresAt, sql`now() + interval '24 hours' - interval '1 minute'`);
  return db
    .select()
    .from(uploads)
    .where(and(eq(uploads.received, uploads.size), undecided, alive, quiet))
    .orderBy(sql`random()`)
    .limit(limit);
}
