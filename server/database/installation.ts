import { sql } from 'drizzle-orm';
import { images, installation } from '../../drizzle/schema.ts';
import type { Database } from './connect.ts';

export type SampleImage = { id: string; contentId: string | null; extension: string };

export type StoredInstallation = {
  /** Undefined in a new database and in one of an earlier version. */
  id: string | undefined;
  /** Any image, and whether its original is marked as sealed. */
  image: (SampleImage & { sealed: boolean }) | undefined;
};

type Decisions = {
  /** @returns the id that the database has from now on */
  storage: (known: StoredInstallation) => Promise<string>;
  /** Receives the ids of the keys that may have sealed stored bytes. @throws if one of them is missing */
  keys: (known: readonly string[]) => void;
};

/** Stores the result of `decide` on the stored installation. Servers that start together decide in turn. */
export async function updateInstallation(db: Database, decide: Decisions): Promise<string> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${installation} in share row exclusive mode`);
    const [row] = await tx.select().from(installation);
    const { id: imageId, contentId, extension, sealed } = images;
    const [image] = await tx.select({ id: imageId, contentId, extension, sealed }).from(images).limit(1);
    const sealedBy = row?.sealedBy ?? [];
    decide.keys(sealedBy);
    const id = await decide.storage({ id: row?.id, image });
    if (row?.id !== id) {
      await tx.delete(installation);
      await tx.insert(installation).values({ id, sealedBy });
    }
    return id;
  });
}

export async function hasImages(db: Database): Promise<boolean> {
  const found = await db.select({ id: images.id }).from(images).limit(1);
  return found.length > 0;
}

/** Called repeatedly by each server that seals: another process may have removed its key from the registry. */
export async function registerKey(db: Database, id: string): Promise<void> {
  await db
    .update(installation)
    .set({ sealedBy: sql`array_append(${installation.sealedBy}, ${id})` })
    .where(sql`not ${id} = any(${installation.sealedBy})`);
}

/**
 * Removes the other keys from the registry; no server can start meanwhile.
 * @param keep returns which of the known keys to keep
 * @returns the keys kept
 */
export async function retainKeys(
  db: Database,
  keep: (known: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${installation} in share row exclusive mode`);
    const [row] = await tx.select().from(installation);
    const sealedBy = [...(await keep(row?.sealedBy ?? []))];
    await tx.update(installation).set({ sealedBy });
    return sealedBy;
  });
}
