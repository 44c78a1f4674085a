/** What a store needs of localStorage. */
export type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function memory(): KeyValue {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

function usable(): KeyValue {
  try {
    const probe = 'storage-probe';
    localStorage.setItem(probe, probe);
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    return memory();
  }
}

/** localStorage; where the browser blocks it or it is full, memory that lasts as long as the page. */
export const browserStorage: KeyValue = usable();
