/** The subset of localStorage in use. */
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

/** localStorage, or memory for the page's lifetime if the browser blocks it or it is full. */
export const browserStorage: KeyValue = usable();
