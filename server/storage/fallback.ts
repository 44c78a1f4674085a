/** Two places as one, while a collection moves: what is not in the first yet is read from the second. */
import type { ObjectStore } from './object-store.ts';
import type { Partials } from './partials.ts';

/**
 * Nothing is said to be absent while one of them does not answer. There are no links to the bytes (`link`): nobody knows
 * where they stand.
 */
export function fallBack(first: ObjectStore, second: ObjectStore): ObjectStore {
  return {
    commit: first.commit,
    write: first.write,
    read: async (key, range) => (await first.read(key, range)) ?? second.read(key, range),
    open: async (key, part) => (await first.open(key, part)) ?? second.open(key, part),
    stat: async (key) => (await first.stat(key)) ?? second.stat(key),
    async remove(key) {
      // The other way round, what the first has lost already would still be read from the second.
      await second.remove(key);
      await first.remove(key);
    },
    /** What stands in both is told twice. Pieces of uploads are no matter of both: they are gone on with in the first alone. */
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

/**
 * Uploads in pieces, which are gone on with in the first place alone; of those that were begun in the second, before the
 * two were changed about, what nobody needs any more goes too.
 */
export const sweepBoth = (first: Partials, second: Pick<Partials, 'ids' | 'remove'>): Partials => ({
  ...first,
  async remove(id) {
    await second.remove(id);
    await first.remove(id);
  },
  ids: async () => new Set([...(await first.ids()), ...(await second.ids())]),
});
