/** The pending list in this browser's IndexedDB. */
import { createStore, delMany, entries, setMany } from 'idb-keyval';
import { database, table } from '../forget-queue.ts';
import { createQueue } from './stored-list.ts';

const store = createStore(database, table);
const lockName = 'upload-queue';

/** Waits until no other tab keeps the list. Plain HTTP has no locks: every tab keeps it then. */
function takeTurn(): Promise<void> {
  if (navigator.locks === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    void navigator.locks.request(lockName, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
}

export const keepQueue = createQueue(
  {
    entries: () => entries(store),
    setMany: (values) => setMany(values, store),
    delMany: (keys) => delMany(keys, store),
  },
  takeTurn,
);
