/** The IndexedDB names of the pending list (upload/persist/keep-list.ts). */
export const database = 'uploads';
export const table = 'queue';

/**
 * Deletes the stored list of an account, on logout, or of a collect link. Imports nothing, because the server may be unreachable
 * then.
 */
export function forgetQueue(owner: string): void {
  try {
    const opening = indexedDB.open(database);
    opening.onupgradeneeded = () => opening.result.createObjectStore(table);
    opening.onsuccess = () => {
      const queue = opening.result.transaction(table, 'readwrite').objectStore(table);
      // `0` follows `/`.
      queue.delete(IDBKeyRange.bound(`${owner}/`, `${owner}0`));
    };
  } catch {
    // A browser without storage has nothing to delete.
  }
}
