/** Which storage belongs to this database. */
import { sql } from 'drizzle-orm';
import { images, installation } from '../../drizzle/schema.ts';
import type { Database } from './connect.ts';

/** What names an image's original. */
export type SomeImage = { id: string; contentId: string | null; extension: string };

export type KnownInstallation = {
  /** Undefined in a new database, and in one of an earlier version. */
  id: string | undefined;
  /** Any one, where there are images, and whether its original is marked as sealed. */
  image: (SomeImage & { sealed: boolean }) | undefined;
};

export type Decisions = {
  /** @returns the id that the database has from now on */
  storage: (known: KnownInstallation) => Promise<string>;
  /** Told the ids of the keys by which stored bytes may be sealed. @throws where one of them is missing */
  keys: (known: readonly string[]) => void;
};

/**
 * Hands what the database knows to decisions, and keeps what they come to. Servers that start together decide one after
 * another.
 */
export async function settleInstallation(db: Database, decide: Decisions): Promise<string> {
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

/** Of tables of this version. */
export async function hasImages(db: Database): Promise<boolean> {
  const found = await db.select({ id: images.id }).from(images).limit(1);
  return found.length > 0;
}

/** Told by each server that seals, again and again: another process may have taken its key for forgotten. */
export async function noteKey(db: Database, id: string): Promise<void> {
  await db
    .update(installation)
    .set({ sealedBy: sql`array_append(${installation.sealedBy}, ${id})` })
    .where(sql`not ${id} = any(${installation.sealedBy})`);
}

/**
 * Nothing is sealed any more by keys that are not kept. No server starts meanwhile.
 * @param keep of those that are known, the ones that stay
 * @returns them
 */
export async function keepKeys(
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
