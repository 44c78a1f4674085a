/**
 * What links answer, kept in memory up to a number of bytes: the row of an image under its link's key, what is below the
 * link under `<key>/<name>`. An image that is deleted or changed is forgotten at once, and what was being looked up at
 * that moment is not kept.
 */
import { LRUCache } from 'lru-cache';

type Parts = {
  /** Bytes, in all; 0 for nothing. */
  size: number;
  /** Whether what is kept may be answered now: all changes up to this moment have been told. */
  isCurrent: () => boolean;
};

/** The largest entry, as a part of the whole. */
const largest = 1 / 8;

/** A link's key, of the name of what is below it. */
const keyOf = (name: string) => name.slice(0, 22);

export type LinkCache<V extends object> = {
  /** Answers undefined for what is not kept, and for all while changes may go unheard. */
  get(name: string): V | undefined;
  /**
   * Looks something up and keeps it, unless its image is forgotten meanwhile.
   * @param work answers undefined for what is not to be kept; `size` is its bytes in memory
   */
  fill(name: string, work: () => Promise<{ value: V; size: number } | undefined>): Promise<V | undefined>;
  /** Everything about an image, by its link's key. */
  forget(linkKey: string): void;
  forgetAll(): void;
};

export function createLinkCache<V extends object>({ size, isCurrent }: Parts): LinkCache<V> {
  /** By link's key, the names of all that is kept of it. */
  const below = new Map<string, Set<string>>();
  /** By link's key, what is being looked up. */
  const fills = new Map<string, Set<{ isStale: boolean }>>();

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
    maxEntrySize: Math.max(Math.floor(size * largest), 1),
    dispose: (_value, name, reason) => {
      if (reason !== 'set') drop(below, keyOf(name), name);
    },
  });

  function spoil(key: string): void {
    for (const fill of fills.get(key) ?? []) fill.isStale = true;
  }

  return {
    get: (name) => (isCurrent() ? kept.get(name) : undefined),

    async fill(name, work) {
      const key = keyOf(name);
      const fill = { isStale: false };
      add(fills, key, fill);
      try {
        const found = await work();
        if (found && !fill.isStale) {
          kept.set(name, found.value, { size: found.size });
          if (kept.has(name)) add(below, key, name);
        }
        return found?.value;
      } finally {
        drop(fills, key, fill);
      }
    },

    forget(linkKey) {
      spoil(linkKey);
      for (const name of [...(below.get(linkKey) ?? [])]) kept.delete(name);
      below.delete(linkKey);
    },

    forgetAll() {
      for (const key of fills.keys()) spoil(key);
      kept.clear();
    },
  };
}
