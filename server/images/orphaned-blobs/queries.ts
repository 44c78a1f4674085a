import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { images, orphanedBlobs } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { naming } from '../content/queries.ts';
import type { Stored } from '../transactions.ts';

const stored = { id: orphanedBlobs.imageId, extension: orphanedBlobs.extension };

/** Rows per query: a deleted account may have left a million. */
export const batchSize = 500;

export type OrphanQueries = ReturnType<typeof createOrphanQueries>;

export function createOrphanQueries(db: Database, own: bigint) {
  return {
    async otherProcesses(): Promise<bigint[]> {
      const rows = await db
        .selectDistinct({ process: orphanedBlobs.process })
        .from(orphanedBlobs)
        .where(ne(orphanedBlobs.process, own));
      return rows.map(({ process }) => process);
    },

    /** If the process lives after all, its transactions can no longer use these bytes. Rows that it has locked are skipped. */
    async takeOver(dead: bigint, max: number): Promise<Stored[]> {
      const free = db
        .select({ id: orphanedBlobs.imageId })
        .from(orphanedBlobs)
        .where(eq(orphanedBlobs.process, dead))
        .limit(max)
        .for('update', { skipLocked: true });
      return db
        .update(orphanedBlobs)
        .set({ process: own })
        .where(inArray(orphanedBlobs.imageId, free))
        .returning(stored);
    },

    async ownRows(after: string | undefined, max: number): Promise<Stored[]> {
      return db
        .select(stored)
        .from(orphanedBlobs)
        .where(and(eq(orphanedBlobs.process, own), after === undefined ? undefined : gt(orphanedBlobs.imageId, after)))
        .orderBy(asc(orphanedBlobs.imageId))
        .limit(max);
    },

    /** Own rows that no transaction has locked, such as one whose commit is undecided. */
    async freeRows(ids: string[]): Promise<Stored[]> {
      return db
        .select(stored)
        .from(orphanedBlobs)
        .where(and(inArray(orphanedBlobs.imageId, ids), eq(orphanedBlobs.process, own)))
        .for('update', { skipLocked: true });
    },

    /** @returns the contents that images name: none, unless rows were restored from a backup */
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
