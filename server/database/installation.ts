/** Which storage belongs to this database. */
import { sql } from 'drizzle-orm';
import { images, installation } from '../../drizzle/schema.ts';
import type { Database } from './connect.ts';

export type KnownInstallation = {
  /** Undefined in a new database, and in one of an earlier version. */
  id: string | undefined;
  hasImages: boolean;
};

/**
 * Hands what the database knows to a decision, and keeps the id that it comes to. Servers that start together decide
 * one after another.
 */
export async function settleInstallation(
  db: Database,
  decide: (known: KnownInstallation) => Promise<string>,
): Promise<string> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${installation} in share row exclusive mode`);
    const [row] = await tx.select().from(installation);
    const [image] = await tx.select({ id: images.id }).from(images).limit(1);
    const id = await decide({ id: row?.id, hasImages: image !== undefined });
    if (row?.id !== id) {
      await tx.delete(installation);
      await tx.insert(installation).values({ id });
    }
    return id;
  });
}
