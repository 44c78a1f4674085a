import type { Page } from 'playwright-core';

/** The number of pending files stored in the browser. */
export const kept = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('uploads');
    // The page has not created it yet. An empty one would stay without its store.
    opening.onupgradeneeded = () => opening.transaction.abort();
    opening.onerror = () => (opening.error.name === 'AbortError' ? resolve(0) : reject(opening.error));
    opening.onsuccess = () => {
      const database = opening.result;
      if (!database.objectStoreNames.contains('queue')) return resolve(0);
      const asking = database.transaction('queue').objectStore('queue').getAllKeys();
      asking.onsuccess = () => {
        database.close();
        resolve(asking.result.filter((key) => key.endsWith('/file')).length);
      };
    };
  })`);
