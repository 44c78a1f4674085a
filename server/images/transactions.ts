/**
 * What changes the collection. Each is one transaction over the rows in `images`, what their owner holds, and the loose
 * bytes; the owner's row is locked first, so that what runs beside it waits and never deadlocks.
 */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { type ImageRow, images, looseBytes, type NewImageRow, users } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { DatabaseUnavailable, Unauthorized } from '../errors.ts';
import { type Held, type Quota, whatFits } from './quota.ts';

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** What is needed to find an image's bytes. */
export type Stored = { id: string; extension: string };

/** The connection was lost while it was asked to commit: it may have been done, or be done yet. */
export class Undecided extends Error {}

/** @throws Undecided; any other error means that nothing was changed, nor ever will be */
async function decided<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let worked = false;
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx);
      worked = true;
      return result;
    });
  } catch (error) {
    throw worked ? new Undecided('it is not known whether the transaction was committed', { cause: error }) : error;
  }
}

/** Not so strongly that a login, whose session names the user, would wait. */
async function lockOwner(tx: Transaction, ownerId: string): Promise<Held | undefined> {
  const [held] = await tx
    .select({ images: users.imageCount, bytes: users.imageBytes })
    .from(users)
    .where(eq(users.id, ownerId))
    .for('no key update');
  return held;
}

async function changeHeld(tx: Transaction, ownerId: string, { images: count, bytes }: Held): Promise<void> {
  await tx
    .update(users)
    .set({ imageCount: sql`${users.imageCount} + ${count}`, imageBytes: sql`${users.imageBytes} + ${bytes}` })
    .where(eq(users.id, ownerId));
}

/** Rows of one statement: Postgres takes 65,535 values in one. */
const batch = 1000;

const idsOf = (rows: Stored[]) => rows.map(({ id }) => id);

/** Before their bytes are renamed into place. */
export async function insertLoose(db: Database, rows: Stored[], process: bigint): Promise<void> {
  await db.insert(looseBytes).values(rows.map(({ id, extension }) => ({ imageId: id, extension, process })));
}

type Upload = { ownerId: string; rows: (NewImageRow & Stored)[]; process: bigint; quota: Quota };

/**
 * Those rows of an upload that the owner's quota has room for, in their order; their bytes are loose no more.
 *
 * @returns what was stored, and what the owner then holds
 * @throws Undecided; Unauthorized where the account is gone; DatabaseUnavailable where others took this process for
 *   dead and may have removed the bytes
 */
export async function insertImages(
  db: Database,
  { ownerId, rows, process, quota }: Upload,
): Promise<{ stored: ImageRow[]; held: Held }> {
  return decided(db, async (tx) => {
    const before = await lockOwner(tx, ownerId);
    if (!before) throw new Unauthorized();
    const { fitting, held } = whatFits(rows, before, quota);
    if (fitting.length === 0) return { stored: [], held };
    const ours = and(inArray(looseBytes.imageId, idsOf(fitting)), eq(looseBytes.process, process));
    const settled = await tx.delete(looseBytes).where(ours).returning({ id: looseBytes.imageId });
    if (settled.length !== fitting.length) throw new DatabaseUnavailable();
    const stored: ImageRow[] = [];
    for (let at = 0; at < fitting.length; at += batch) {
      stored.push(
        ...(await tx
          .insert(images)
          .values(fitting.slice(at, at + batch))
          .returning()),
      );
    }
    await changeHeld(tx, ownerId, { images: held.images - before.images, bytes: held.bytes - before.bytes });
    return { stored, held };
  });
}

/**
 * The row goes, and its bytes are loose from then on.
 * @returns the row that is gone, or undefined where this owner has no such image
 * @throws Undecided
 */
export async function deleteImage(
  db: Database,
  { ownerId, id, process }: { ownerId: string; id: string; process: bigint },
): Promise<ImageRow | undefined> {
  return decided(db, async (tx) => {
    if (!(await lockOwner(tx, ownerId))) return undefined;
    const [row] = await tx
      .delete(images)
      .where(and(eq(images.id, id), eq(images.ownerId, ownerId)))
      .returning();
    if (!row) return undefined;
    await tx.insert(looseBytes).values({ imageId: row.id, extension: row.extension, process });
    await changeHeld(tx, ownerId, { images: -1, bytes: -row.size });
    return row;
  });
}

/**
 * All images of an account, for its end: the rows go, and their bytes are loose. By `nobody` (database/presence.ts)
 * they are left to the servers' next sweep.
 * @returns how many there were
 */
export async function deleteImagesOf(db: Database, ownerId: string, process: bigint): Promise<number> {
  return decided(db, async (tx) => {
    if (!(await lockOwner(tx, ownerId))) return 0;
    const [loose] = await tx.execute<{ count: number }>(sql`
      with gone as (delete from ${images} where ${images.ownerId} = ${ownerId} returning id, extension),
        loose as (insert into ${looseBytes} (image_id, extension, process)
          select id, extension, ${String(process)}::bigint from gone returning 1)
      select count(*)::int as count from loose`);
    await tx.update(users).set({ imageCount: 0, imageBytes: 0 }).where(eq(users.id, ownerId));
    return loose?.count ?? 0;
  });
}

/**
 * Deletes an account's rows: it, its sessions and its images, whose bytes are loose from then on. All or nothing; what
 * this process does not come to remove, a server's sweep does.
 *
 * @returns how many images there were, or nothing where the account is gone already
 */
export async function deleteAccount(db: Database, userId: string, process: bigint): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    // An upload under way waits for the account's row, and then finds no account.
    const count = await deleteImagesOf(tx, userId, process);
    const gone = await tx.delete(users).where(eq(users.id, userId)).returning({ id: users.id });
    return gone.length === 0 ? undefined : count;
  });
}
