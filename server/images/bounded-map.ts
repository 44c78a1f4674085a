/** A map that forgets what was not asked for longest, so that whoever fills it cannot fill the memory. */
export type BoundedMap<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
};

/** @param most entries */
export function createBoundedMap<V>(most: number): BoundedMap<V> {
  const entries = new Map<string, V>();

  function set(key: string, value: V): void {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size <= most) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => {
      entries.delete(key);
    },
  };
}
