import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { collectGuests, type UploadRow, uploads } from '../../../drizzle/schema.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { reachableUploads, type Uploader } from '../../database/statements/access.ts';
import { inLinkMutex, inOwnerMutex } from '../../database/statements/owner-mutex.ts';
import { Unauthorized } from '../../errors.ts';
import type { Held, OwnQuota } from '../../images/quota.ts';
import { lockOwner, readOwner } from '../../images/transactions.ts';

const inADay = sql`now() + interval '24 hours'`;
/** Silence after which the unfinished upload of a guest ends. */
const inAnHour = sql`now() + interval '1 hour'`;
const undecided = and(isNull(uploads.imageId), isNull(uploads.refusal));
const decided = or(isNotNull(uploads.imageId), isNotNull(uploads.refusal));
const alive = gt(uploads.expiresAt, sql`now()`);

const sameGuest = (guestId: string | null = null) => sql`${uploads.guestId} is not distinct from ${guestId}::uuid`;

/** Decided uploads kept for an account, and for each guest. Clients request an outcome at once, or after they reconnect. */
const maxDecided = 1000;

/** Usage of an account, stored images and open uploads together; `open` uploads of the same account or guest; bytes `toCome`. */
export type Claimed = Held & OwnQuota & { open: number; toCome: number };

/** A guest's unfinished upload of the same file, which its page forgot. Deleted once another one is open. */
const replacedBy = ({ ownerId, guestId, uploadKey }: Opened) =>
  guestId && uploadKey
    ? and(eq(uploads.ownerId, ownerId), eq(uploads.guestId, guestId), eq(uploads.uploadKey, uploadKey), undecided)
    : undefined;

/**
 * What open uploads claim. Those of guests do not claim the owner's room from the owner. From another guest they only
 * claim the bytes that have arrived: anyone can announce bytes.
 */
async function claimedBy(tx: Database | Transaction, held: Held & OwnQuota, upload: Opened): Promise<Claimed> {
  const { ownerId, guestId = null } = upload;
  const replaced = replacedBy(upload);
  const ofSame = sameGuest(guestId);
  const announces = sql`(${ofSame} or ${uploads.guestId} is null)`;
  const [sums] = await tx
    .select({
      count: sql<number>`(count(*) filter (where ${announces}))::int`,
      open: sql<number>`(count(*) filter (where ${ofSame}))::int`,
      bytes: sql<number>`coalesce(sum(case when ${announces} then ${uploads.size} else ${uploads.received} end), 0)::float8`,
      toCome: sql<number>`coalesce(sum(${uploads.size} - ${uploads.received}) filter (where ${announces}), 0)::float8`,
    })
    .from(uploads)
    .where(
      and(
        ...[eq(uploads.ownerId, ownerId), undecided, alive],
        guestId === null ? ofSame : undefined,
        replaced && sql`(${replaced}) is not true`,
      ),
    );
  const { count, open, bytes, toCome } = sums ?? { count: 0, open: 0, bytes: 0, toCome: 0 };
  return { ...held, images: held.images + count, bytes: held.bytes + bytes, open, toCome };
}

type Opened = Pick<UploadRow, 'id' | 'ownerId' | 'tokenId' | 'albumId' | 'filename' | 'size'> &
  Partial<Pick<UploadRow, 'expiresIn' | 'deleteLink' | 'uploadKey' | 'guestId'>>;

type Refuse = (claimed: Claimed, tx: Database | Transaction) => Error | undefined | Promise<Error | undefined>;

/**
 * Openings of one account run one at a time, and those of the guests of a link. A guest who is refused takes no lock of
 * the owner.
 * @param linkId of the guest
 * @throws the error of `refuse`; Unauthorized if the account is deleted
 */
export async function openUpload(db: Database, upload: Opened, refuse: Refuse, linkId?: string): Promise<UploadRow> {
  const open = () => inOwnerMutex(upload.ownerId, () => db.transaction((tx) => insertUpload(tx, upload, refuse)));
  if (linkId === undefined) return open();
  return inLinkMutex(linkId, async () => {
    await assertAllowed(db, await readOwner(db, upload.ownerId), upload, refuse);
    return open();
  });
}

async function assertAllowed(
  tx: Database | Transaction,
  held: (Held & OwnQuota) | undefined,
  upload: Opened,
  refuse: Refuse,
): Promise<void> {
  if (!held) throw new Unauthorized();
  const error = await refuse(await claimedBy(tx, held, upload), tx);
  if (error) throw error;
}

async function insertUpload(tx: Transaction, upload: Opened, refuse: Refuse): Promise<UploadRow> {
  await assertAllowed(tx, await lockOwner(tx, upload.ownerId), upload, refuse);
  const old = tx
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.ownerId, upload.ownerId), decided, sameGuest(upload.guestId)))
    .orderBy(desc(uploads.expiresAt))
    .offset(maxDecided);
  await tx.delete(uploads).where(inArray(uploads.id, old));
  const replaced = replacedBy(upload);
  if (replaced) await tx.delete(uploads).where(replaced);
  const [row] = await tx
    .insert(uploads)
    .values({ ...upload, expiresAt: upload.guestId ? inAnHour : inADay })
    .returning();
  if (!row) throw new Error('an insert answered no row');
  return row;
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
  { id, received: from, size, guestId }: Pick<UploadRow, 'id' | 'received' | 'size' | 'guestId'>,
  to: number,
  pieces: string[],
): Promise<UploadRow | undefined> {
  const [row] = await db
    .update(uploads)
    .set({ received: to, pieces, expiresAt: guestId && to < size ? inAnHour : inADay })
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

/**
 * Complete, undecided uploads of a stopped process, in random order: those that cannot be decided do not block others.
 * `linkId`: of a guest.
 */
export async function leftWhole(db: Database, limit: number): Promise<{ upload: UploadRow; linkId: string | null }[]> {
  const quiet = lt(uploads.expiresAt, sql`now() + interval '24 hours' - interval '1 minute'`);
  return db
    .select({ upload: uploads, linkId: collectGuests.linkId })
    .from(uploads)
    .leftJoin(collectGuests, eq(collectGuests.id, uploads.guestId))
    .where(and(eq(uploads.received, uploads.size), undecided, alive, quiet))
    .orderBy(sql`random()`)
    .limit(limit);
}
