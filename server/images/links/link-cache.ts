/**
 * Link cache, bounded in bytes: image rows under their link key, renditions under `<key>/<name>`. A changed image is
 * forgotten at once, also in lookups in flight. Concurrent lookups are single-flight.
 */
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

type Fill<V> = { name: string; isStale: boolean; found: Promise<V | undefined> };

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

export function createLinkCache<V extends object>({ size, isLive }: Parts): LinkCache<V> {
  /** Names of cached entries by link key. */
  const below = new Map<string, Set<string>>();
  /** Lookups in flight by link key. */
  const fills = new Map<string, Set<Fill<V>>>();
  const maxEntry = Math.floor(size * largest);

  function drop<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
    const set = sets.get(key);
    if (set?.delete(item) && set.size === 0) sets.delete(key);
  }

  function add<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
    const set = sets.get(key);
    if (set) set.add(item);
    else sets.set(key, new Set([item]));
  }

  const kept = new LRUCache<string, V>({
    // In the library 0 means unbounded.
    maxSize: Math.max(size, 1),
    maxEntrySize: Math.max(maxEntry, 1),
    dispose: (_value, name, reason) => {
      if (reason !== 'set') drop(below, keyOf(name), name);
    },
  });

  function spoil(key: string): void {
    for (const fill of fills.get(key) ?? []) fill.isStale = true;
    fills.delete(key);
  }

  let hits = 0;
  let misses = 0;

  function get(name: string): V | undefined {
    const value = isLive() ? kept.get(name) : undefined;
    if (value !== undefined) hits += 1;
    return value;
  }

  const canKeep = (bytes: number) => bytes <= maxEntry && isLive();

  function begin(name: string, work: () => Promise<Found<V> | undefined>): Fill<V> {
    const key = keyOf(name);
    misses += 1;
    const found = Promise.resolve()
      .then(work)
      .then((outcome) => {
        if (outcome?.size !== undefined && !fill.isStale) {
          kept.set(name, outcome.value, { size: outcome.size });
          if (kept.has(name)) add(below, key, name);
        }
        return outcome?.value;
      })
      .finally(() => drop(fills, key, fill));
    const fill: Fill<V> = { name, isStale: false, found };
    add(fills, key, fill);
    return fill;
  }

  return {
    get,

    canKeep,

    async fill(name, work) {
      const running = canKeep(1) ? [...(fills.get(keyOf(name)) ?? [])].find((fill) => fill.name === name) : undefined;
      return (running ?? begin(name, work)).found;
    },

    forget(linkKey) {
      spoil(linkKey);
      for (const name of [...(below.get(linkKey) ?? [])]) kept.delete(name);
      below.delete(linkKey);
    },

    forgetAll() {
      for (const key of [...fills.keys()]) spoil(key);
      kept.clear();
    },

    figures: () => ({ hits, misses, entries: kept.size, bytes: kept.calculatedSize }),
  };
}
