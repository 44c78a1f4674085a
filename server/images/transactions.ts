/** Transactions over images, usage and orphaned blobs lock the owner's row first: concurrent ones wait and never deadlock. */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { users } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import type { Held, OwnQuota } from './quota.ts';

/** A stored content. Its id is that of the first image with these bytes. */
export type Stored = { id: string; extension: string };

/** The connection was lost during COMMIT: the transaction may be committed, or may still commit. */
export class Undecided extends Error {
  /** Bytes that the transaction orphaned, if it was committed. */
  readonly released: Stored[];

  constructor(released: Stored[], cause: unknown) {
    super('unknown whether the transaction was committed', { cause });
    this.released = released;
  }
}

/** @param work adds the contents that it orphans to `released` @throws Undecided; any other error means that nothing changed */
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

const { imageCount, imageBytes, quotaImages, quotaBytes } = users;
const usage = { images: imageCount, bytes: imageBytes, quotaImages, quotaBytes };

/** What the owner holds, without a lock. */
export async function readOwner(db: Database, ownerId: string): Promise<(Held & OwnQuota) | undefined> {
  const [held] = await db.select(usage).from(users).where(eq(users.id, ownerId));
  return held;
}

/** Locks the owner's row, weakly enough that logins do not wait. @param more a further condition on the owner */
export async function lockOwner(tx: Transaction, ownerId: string, more?: SQL): Promise<(Held & OwnQuota) | undefined> {
  const [held] = await tx
    .select(usage)
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
