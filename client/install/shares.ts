/**
 * Shared pictures, in IndexedDB from the share until the upload page lists them, because a login may be needed in between.
 * They belong to the account that logged in last. The page stores its id here (share-owner.ts), since a worker cannot read
 * localStorage.
 */
const database = 'shares';
const store = 'shares';
const owners = 'owner';
const ownerKey = 'id';
/** Milliseconds. */
const keptFor = 3_600_000;

interface Share {
  readonly id: string;
  readonly owner: string;
  readonly at: number;
  readonly files: readonly File[];
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Deletes the shares of an earlier version, which had no owner. */
function upgrade(db: IDBDatabase): void {
  for (const name of Array.from(db.objectStoreNames)) db.deleteObjectStore(name);
  db.createObjectStore(store, { keyPath: 'id' });
  db.createObjectStore(owners);
}

interface Stores {
  shares: IDBObjectStore;
  owner: IDBObjectStore;
}

/** Runs `use` in one transaction, so that only one page takes a share. */
async function within<Result>(use: (stores: Stores) => Promise<Result>): Promise<Result> {
  const opening = indexedDB.open(database, 2);
  opening.onupgradeneeded = () => upgrade(opening.result);
  const opened = await settle(opening);
  try {
    const transaction = opened.transaction([store, owners], 'readwrite');
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const stores = { shares: transaction.objectStore(store), owner: transaction.objectStore(owners) };
    const [result] = await Promise.all([use(stores), done]);
    return result;
  } finally {
    opened.close();
  }
}

/** Sets the owner of shares. A new owner, or none, deletes the existing shares. */
export const setOwner = (id: string | undefined): Promise<void> =>
  within(async ({ shares, owner }) => {
    const before: unknown = await settle(owner.get(ownerKey));
    if (before === id) return;
    shares.clear();
    if (id === undefined) owner.delete(ownerKey);
    else owner.put(id, ownerKey);
  });

/**
 * @returns the share's id for the upload page (random, so that other sites cannot guess it); undefined, without storing
 *   anything, if no one has logged in
 * @throws if the browser's storage is full
 */
export const keepShare = (files: readonly File[]): Promise<string | undefined> =>
  within(async ({ shares, owner }) => {
    const whose: unknown = await settle(owner.get(ownerKey));
    if (typeof whose !== 'string') return undefined;
    const id = crypto.randomUUID();
    await settle(shares.add({ id, owner: whose, at: Date.now(), files } satisfies Share));
    return id;
  });

/** Returns this account's share if it is at most an hour old, and deletes all shares. */
export const takeShare = (id: string, userId: string): Promise<readonly File[]> =>
  within(async ({ shares }) => {
    const found = (await settle(shares.get(id))) as Share | undefined;
    shares.clear();
    return found && found.owner === userId && Date.now() - found.at < keptFor ? found.files : [];
  });
