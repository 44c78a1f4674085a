/** Where the pending list is kept (browser-queue.ts). */
export const database = 'uploads';
export const table = 'queue';

/** What was kept for whoever has left. It needs no further file, as a logout may come when no server can be reached. */
export function forgetQueue(): void {
  try {
    const opening = indexedDB.open(database);
    opening.onupgradeneeded = () => opening.result.createObjectStore(table);
    opening.onsuccess = () => {
      opening.result.transaction(table, 'readwrite').objectStore(table).clear();
      opening.result.close();
    };
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
