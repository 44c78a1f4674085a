/** The subset of a storage in use. */
export type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function memory(): KeyValue {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

function usable(open: () => Storage): KeyValue {
  try {
    const [storage, probe] = [open(), 'storage-probe'];
    storage.setItem(probe, probe);
    storage.removeItem(probe);
    return storage;
  } catch {
    return memory();
  }
}

/** localStorage, or memory for the page's lifetime if the browser blocks it or it is full. */
export const browserStorage: KeyValue = usable(() => localStorage);

/** As `browserStorage`, for this tab only. */
export const tabStorage: KeyValue = usable(() => sessionStorage);
