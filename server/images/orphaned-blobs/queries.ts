/** Loose bytes (drizzle/schema.ts) as the sweep asks for them. */
import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { images, looseBytes } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { naming } from '../content-queries.ts';
import type { Stored } from '../transactions.ts';

const stored = { id: looseBytes.imageId, extension: looseBytes.extension };

export type LooseQueries = ReturnType<typeof createLooseQueries>;

/** @param own this process's number */
export function createLooseQueries(db: Database, own: bigint) {
  return {
    /** The other processes that have loose bytes to their name. */
    async otherProcesses(): Promise<bigint[]> {
      const rows = await db
        .selectDistinct({ process: looseBytes.process })
        .from(looseBytes)
        .where(ne(looseBytes.process, own));
      return rows.map(({ process }) => process);
    },

    /**
     * Puts a dead process's rows under this one's name. From then on no transaction of the dead one, should it live
     * after all, can make their bytes an image; those that such a transaction has in hand just now are passed over.
     * @param most rows at once: an account's end may have left a million
     */
    async takeOver(dead: bigint, most: number): Promise<Stored[]> {
      const free = db
        .select({ id: looseBytes.imageId })
        .from(looseBytes)
        .where(eq(looseBytes.process, dead))
        .limit(most)
        .for('update', { skipLocked: true });
      return db.update(looseBytes).set({ process: own }).where(inArray(looseBytes.imageId, free)).returning(stored);
    },

    /** This process's own rows after an image, by their ids. */
    async ownRows(after: string | undefined, most: number): Promise<Stored[]> {
      return db
        .select(stored)
        .from(looseBytes)
        .where(and(eq(looseBytes.process, own), after === undefined ? undefined : gt(looseBytes.imageId, after)))
        .orderBy(asc(looseBytes.imageId))
        .limit(most);
    },

    /** Those of this process's rows that no transaction has in hand, as one has whose commit is not known to have ended. */
    async freeRows(ids: string[]): Promise<Stored[]> {
      return db
        .select(stored)
        .from(looseBytes)
        .where(and(inArray(looseBytes.imageId, ids), eq(looseBytes.process, own)))
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

    async deleteLoose(ids: string[]): Promise<void> {
      await db.delete(looseBytes).where(inArray(looseBytes.imageId, ids));
    },
  };
}
