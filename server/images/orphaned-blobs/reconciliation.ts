import type { ImageRow } from '../../../drizzle/schema.ts';
import { contentIdOf } from '../keys.ts';
import type { Stored } from '../transactions.ts';
import type { OrphanQueries } from './queries.ts';
import type { Log, Removal } from './removal.ts';

type Parts = { queries: OrphanQueries; removal: Pick<Removal, 'removeBytes'>; log: Log };

export function createReconciliation({ queries, removal, log }: Parts) {
  const unconfirmed = new Map<string, Stored>();

  /** Removes unconfirmed bytes that no row names; such a content is never named again. */
  async function reconcileAll(): Promise<void> {
    const images = [...unconfirmed.values()];
    if (images.length === 0) return;
    const named = new Set(await queries.namedByRows(images.map(({ id }) => id)));
    for (const image of images) {
      if (!named.has(image.id)) await removal.removeBytes(image);
      unconfirmed.delete(image.id);
    }
  }

  return {
    /** Call after writing bytes under a row lock that may have been lost: removes them if no row names them. Sweeps retry. */
    async reconcile(image: Pick<ImageRow, 'id' | 'contentId' | 'extension'>): Promise<void> {
      unconfirmed.set(contentIdOf(image), { id: contentIdOf(image), extension: image.extension });
      await reconcileAll().catch((err: unknown) => {
        log.warn({ err, image: image.id }, 'row of an image not checked; retrying in the next sweep');
      });
    },

    reconcileAll,
  };
}
