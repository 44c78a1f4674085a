/** The IndexedDB names of the pending list (keep-list.ts). */
export const database = 'uploads';
export const table = 'queue';

/** Deletes the stored list on logout. Imports nothing, because the server may be unreachable then. */
export function forgetQueue(): void {
  try {
    const opening = indexedDB.open(database);
    opening.onupgradeneeded = () => opening.result.createObjectStore(table);
    opening.onsuccess = () => {
      opening.result.transaction(table, 'readwrite').objectStore(table).clear();
      opening.result.close();
    };
  } catch {
    // A browser without storage has nothing to delete.
  }
}
