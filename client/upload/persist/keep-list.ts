/** The pending list in this browser's IndexedDB. */
import { createStore, promisifyRequest } from 'idb-keyval';
import { afterPaint } from '../../lib/after-paint.ts';
import { database, table } from '../../lib/forget-queue.ts';
import { createStoredList, type Value } from './stored-list.ts';
import { takeTurn } from './tab-lock.ts';

const open = createStore(database, table);

export const keepList = createStoredList(
  {
    read: (prefix) =>
      open('readonly', async (store) => {
        const mine = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
        const [keys, values] = await Promise.all([
          promisifyRequest(store.getAllKeys(mine)),
          promisifyRequest<Value[]>(store.getAll(mine)),
        ]);
        return keys.map((key, index) => [String(key), values[index]]);
      }),
    write: (entries, removed) =>
      open('readwrite', (store) => {
        for (const [first, last] of removed) store.delete(IDBKeyRange.bound(first, last));
        for (const [key, value] of entries) {
          if (value === undefined) store.delete(key);
          else store.put(value, key);
        }
        return promisifyRequest(store.transaction);
      }),
  },
  (owner) => takeTurn(navigator.locks, owner),
  afterPaint,
);
