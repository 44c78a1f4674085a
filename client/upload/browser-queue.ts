/** The pending list as this browser keeps it, in IndexedDB. */
import { createStore, delMany, entries, setMany } from 'idb-keyval';
import { database, table } from './forget-queue.ts';
import { createQueue } from './queue.ts';

const store = createStore(database, table);
const lockName = 'upload-queue';

/** Where two tabs could keep it: the one that was first, until it is closed. Plain http has no locks: then each. */
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
