/** Loose bytes (drizzle/schema.ts) as the sweep asks for them. */
import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { images, orphanedBlobs } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { naming } from '../content-queries.ts';
import type { Stored } from '../transactions.ts';

const stored = { id: orphanedBlobs.imageId, extension: orphanedBlobs.extension };

export type OrphanQueries = ReturnType<typeof createOrphanQueries>;

/** @param own this process's number */
export function createOrphanQueries(db: Database, own: bigint) {
  return {
    /** The other processes that have loose bytes to their name. */
    async otherProcesses(): Promise<bigint[]> {
      const rows = await db
        .selectDistinct({ process: orphanedBlobs.process })
        .from(orphanedBlobs)
        .where(ne(orphanedBlobs.process, own));
      return rows.map(({ process }) => process);
    },

    /**
     * Puts a dead process's rows under this one's name. From then on no transaction of the dead one, should it live
     * after all, can make their bytes an image; those that such a transaction has in hand just now are passed over.
     * @param most rows at once: an account's end may have left a million
     */
    async takeOver(dead: bigint, most: number): Promise<Stored[]> {
      const free = db
        .select({ id: orphanedBlobs.imageId })
        .from(orphanedBlobs)
        .where(eq(orphanedBlobs.process, dead))
        .limit(most)
        .for('update', { skipLocked: true });
      return db
        .update(orphanedBlobs)
        .set({ process: own })
        .where(inArray(orphanedBlobs.imageId, free))
        .returning(stored);
    },

    /** This process's own rows after an image, by their ids. */
    async ownRows(after: string | undefined, most: number): Promise<Stored[]> {
      return db
        .select(stored)
        .from(orphanedBlobs)
        .where(and(eq(orphanedBlobs.process, own), after === undefined ? undefined : gt(orphanedBlobs.imageId, after)))
        .orderBy(asc(orphanedBlobs.imageId))
        .limit(most);
    },

    /** Those of this process's rows that no transaction has in hand, as one has whose commit is not known to have ended. */
    async freeRows(ids: string[]): Promise<Stored[]> {
      return db
        .select(stored)
        .from(orphanedBlobs)
        .where(and(inArray(orphanedBlobs.imageId, ids), eq(orphanedBlobs.process, own)))
        .for('update', { skipLocked: true });
    },

    /** @returns those contents that images name: none, unless rows came back some other way, as from a backup */
    async namedByRows(contents: string[]): Promise<string[]> {
      const rows = await db
        .selectDistinct({ id: sql<string>`coalesce(${images.contentId}, ${images.id})` })
        .from(images)
        .where(naming(contents));
      return rows.map(({ id }) => id);
    },

    async deleteOrphaned(ids: string[]): Promise<void> {
      await db.delete(orphanedBlobs).where(inArray(orphanedBlobs.imageId, ids));
    },
  };
}
