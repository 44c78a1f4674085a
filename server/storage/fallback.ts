import type { ObjectStore } from './object-store.ts';
import type { Partials } from './partials.ts';

/**
 * Combines two backends during a migration: objects missing in the first are read from the second. No object is
 * reported absent while either backend is unavailable. `link` is left out, since an object may be in either.
 */
export function fallBack(first: ObjectStore, second: ObjectStore): ObjectStore {
  return {
    commit: first.commit,
    write: first.write,
    read: async (key, range) => (await first.read(key, range)) ?? second.read(key, range),
    open: async (key, part) => (await first.open(key, part)) ?? second.open(key, part),
    stat: async (key) => (await first.stat(key)) ?? second.stat(key),
    async remove(key) {
      // In the reverse order, an object removed from the first would still be read from the second.
      await second.remove(key);
      await first.remove(key);
    },
    /** Lists objects in both twice. Uploads continue only in the first, so `partials` are listed only there. */
    async *list(collection, folder) {
      yield* first.list(collection, folder);
      if (collection !== 'partials') yield* second.list(collection, folder);
    },
    isHealthy: async () => (await first.isHealthy()) && (await second.isHealthy()),
    async close() {
      await first.close().finally(() => second.close());
    },
  };
}

/** The first backend's resumable uploads. Sweeps also cover the second, from before the two were exchanged. */
export const sweepBoth = (first: Partials, second: Pick<Partials, 'ids' | 'remove'>): Partials => ({
  ...first,
  async remove(id) {
    await second.remove(id);
    await first.remove(id);
  },
  ids: async () => new Set([...(await first.ids()), ...(await second.ids())]),
});
