/**
 * What links answer, kept in memory up to a number of bytes: the row of an image under its link's key, what is below the
 * link under `<key>/<name>`. An image that is deleted or changed is forgotten at once, and what was being looked up at
 * that moment is not kept. What several look up at the same time is looked up once.
 */
import { LRUCache } from 'lru-cache';

type Parts = {
  /** Bytes, in all; 0 for nothing. */
  size: number;
  /** Whether what is kept may be answered now: all changes up to this moment have been told. */
  isLive: () => boolean;
};

/** The largest entry, as a part of the whole. */
const largest = 1 / 8;

/** A link's key, of the name of what is below it. */
const keyOf = (name: string) => name.slice(0, 22);

/** With its bytes in memory; undefined for what is not to be kept. */
type Found<V> = { value: V; size?: number };

type Fill<V> = { name: string; isStale: boolean; found: Promise<V | undefined> };

export type LinkCache<V extends object> = {
  /** Answers undefined for what is not kept, and for all while changes may go unheard. */
  get(name: string): V | undefined;
  /** Whether something of so many bytes would be kept now. */
  canKeep(size: number): boolean;
  /**
   * Looks something up and keeps it, unless its image is forgotten meanwhile. Whoever asks before that shares the outcome,
   * wherever he might have been answered from memory as well.
   */
  fill(name: string, work: () => Promise<Found<V> | undefined>): Promise<V | undefined>;
  /** Everything about an image, by its link's key. */
  forget(linkKey: string): void;
  forgetAll(): void;
  /** Since the start: how often something was answered from memory, and looked up; and what is kept now. */
  figures(): { hits: number; misses: number; entries: number; bytes: number };
};

export function createLinkCache<V extends object>({ size, isLive }: Parts): LinkCache<V> {
  /** By link's key, the names of all that is kept of it. */
  const below = new Map<string, Set<string>>();
  /** By link's key, what is being looked up. */
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
    // The library takes 0 for no bound.
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
