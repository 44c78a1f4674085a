/** Bounded in bytes: image rows under their link key, renditions under `<key>/<name>`. Changed images are forgotten at once. */
import { LRUCache } from 'lru-cache';

type Parts = {
  /** Bytes; 0 turns the cache off. */
  size: number;
  /** Whether all changes up to now were notified, so that cached entries may be used. */
  isLive: () => boolean;
};

/** The largest entry, as a fraction of the size. */
const largest = 1 / 8;

const keyOf = (name: string) => name.slice(0, 22);

/** `size`: bytes in memory; undefined if it should not be cached. */
type Found<V> = { value: V; size?: number };

export type LinkCache<V extends object> = {
  /** The cached entry; always undefined while notifications may be missed. */
  get(name: string): V | undefined;
  canKeep(size: number): boolean;
  /** Looks up an entry and caches it unless its image is forgotten meanwhile. Concurrent calls share the result. */
  fill(name: string, work: () => Promise<Found<V> | undefined>): Promise<V | undefined>;
  forget(linkKey: string): void;
  forgetAll(): void;
  /** Hits and misses since the start, and the current contents. */
  figures(): { hits: number; misses: number; entries: number; bytes: number };
};

/** Entries, least recently used first out, and their names by link key. */
function createEntries<V extends object>(size: number, maxEntry: number) {
  const names = new Map<string, Set<string>>();

  function dropName(name: string): void {
    const ofLink = names.get(keyOf(name));
    if (ofLink?.delete(name) && ofLink.size === 0) names.delete(keyOf(name));
  }

  const entries = new LRUCache<string, V>({
    // In the library 0 means unbounded.
    maxSize: Math.max(size, 1),
    maxEntrySize: Math.max(maxEntry, 1),
    dispose: (_value, name, reason) => {
      if (reason !== 'set') dropName(name);
    },
  });

  return {
    get: (name: string): V | undefined => entries.get(name),
    set(name: string, value: V, bytes: number): void {
      entries.set(name, value, { size: bytes });
      if (!entries.has(name)) return;
      const ofLink = names.get(keyOf(name));
      if (ofLink) ofLink.add(name);
      else names.set(keyOf(name), new Set([name]));
    },
    remove(linkKey: string): void {
      for (const name of [...(names.get(linkKey) ?? [])]) entries.delete(name);
    },
    clear: (): void => entries.clear(),
    figures: () => ({ entries: entries.size, bytes: entries.calculatedSize }),
  };
}

export function createLinkCache<V extends object>({ size, isLive }: Parts): LinkCache<V> {
  type Lookups = Map<string, Promise<V | undefined>>;
  const maxEntry = Math.floor(size * largest);
  const entries = createEntries<V>(size, maxEntry);
  /** By link key. Forgetting a link drops its lookups from here: they are answered, and neither shared nor cached. */
  const inFlight = new Map<string, Lookups>();
  let hits = 0;
  let misses = 0;

  const canKeep = (bytes: number) => bytes <= maxEntry && isLive();

  async function lookUp(name: string, work: () => Promise<Found<V> | undefined>, lookups: Lookups) {
    const isCurrent = () => inFlight.get(keyOf(name)) === lookups;
    try {
      const found = await work();
      if (found?.size !== undefined && isCurrent()) entries.set(name, found.value, found.size);
      return found?.value;
    } finally {
      lookups.delete(name);
      if (lookups.size === 0 && isCurrent()) inFlight.delete(keyOf(name));
    }
  }

  return {
    get(name) {
      const value = isLive() ? entries.get(name) : undefined;
      if (value !== undefined) hits += 1;
      return value;
    },

    canKeep,

    async fill(name, work) {
      const lookups: Lookups = (canKeep(1) ? inFlight.get(keyOf(name)) : undefined) ?? new Map();
      const running = lookups.get(name);
      if (running) return running;
      misses += 1;
      if (canKeep(1)) inFlight.set(keyOf(name), lookups);
      const found = lookUp(name, work, lookups);
      lookups.set(name, found);
      return found;
    },

    forget(linkKey) {
      inFlight.delete(linkKey);
      entries.remove(linkKey);
    },

    forgetAll() {
      inFlight.clear();
      entries.clear();
    },

    figures: () => ({ hits, misses, ...entries.figures() }),
  };
}
