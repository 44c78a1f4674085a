/**
 * What changes the collection (insertion-queries.ts, queries.ts). Each is one transaction over the rows in
 * `images`, what their owner holds, and the loose bytes; the owner's row is locked first, so that what runs beside it
 * waits and never deadlocks.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { users } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import type { Held } from './quota.ts';

/** What is needed to find bytes in the storage: a content's id, which is that of the image it came with. */
export type Stored = { id: string; extension: string };

/** The connection was lost while it was asked to commit: it may have been done, or be done yet. */
export class Undecided extends Error {
  /** Bytes that are loose by it, if it was committed. */
  readonly released: Stored[];

  constructor(released: Stored[], cause: unknown) {
    super('it is not known whether the transaction was committed', { cause });
    this.released = released;
  }
}

/**
 * @param work is given a list for the bytes that become loose by it
 * @throws Undecided; any other error means that nothing was changed, nor ever will be
 */
export async function decided<T>(db: Database, work: (tx: Transaction, released: Stored[]) => Promise<T>): Promise<T> {
  const released: Stored[] = [];
  let worked = false;
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx, released);
      worked = true;
      return result;
    });
  } catch (error) {
    throw worked ? new Undecided(released, error) : error;
  }
}

/** Not so strongly that a login, whose session names the user, would wait. @param more what else must be true of the owner */
export async function lockOwner(tx: Transaction, ownerId: string, more?: SQL): Promise<Held | undefined> {
  const [held] = await tx
    .select({ images: users.imageCount, bytes: users.imageBytes })
    .from(users)
    .where(and(eq(users.id, ownerId), more))
    .for('no key update');
  return held;
}

export async function changeHeld(tx: Transaction, ownerId: string, { images: count, bytes }: Held): Promise<void> {
  await tx
    .update(users)
    .set({ imageCount: sql`${users.imageCount} + ${count}`, imageBytes: sql`${users.imageBytes} + ${bytes}` })
    .where(eq(users.id, ownerId));
}
