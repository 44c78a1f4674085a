/**
 * Pictures that another app shared, from the moment the service worker takes them until the upload page puts them into the
 * pending list: in a database of the browser's, since a login may come between. Each belongs to the account that was logged in
 * last, which the page writes beside them (share-owner.ts): a worker cannot read the page's storage.
 */
const database = 'shares';
const store = 'shares';
const owners = 'owner';
const ownerKey = 'id';
/** Milliseconds. Who shared and never came to log in has given up. */
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

/** Shares of a version that named no owner go. */
function upgrade(db: IDBDatabase): void {
  for (const name of Array.from(db.objectStoreNames)) db.deleteObjectStore(name);
  db.createObjectStore(store, { keyPath: 'id' });
  db.createObjectStore(owners);
}

interface Stores {
  shares: IDBObjectStore;
  owner: IDBObjectStore;
}

/** Runs `use` in one transaction, so that of two pages one alone takes a share. */
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

/** Whose the shares are from now on; of nobody, and of another one than before, none is kept. */
export const setOwner = (id: string | undefined): Promise<void> =>
  within(async ({ shares, owner }) => {
    const before: unknown = await settle(owner.get(ownerKey));
    if (before === id) return;
    shares.clear();
    if (id === undefined) owner.delete(ownerKey);
    else owner.put(id, ownerKey);
  });

/**
 * @returns by which name the upload page may take them (128 random bits, which no other site knows); undefined where nobody has
 *   logged in, and nothing is kept
 * @throws where the browser has no room for them
 */
export const keepShare = (files: readonly File[]): Promise<string | undefined> =>
  within(async ({ shares, owner }) => {
    const whose: unknown = await settle(owner.get(ownerKey));
    if (typeof whose !== 'string') return undefined;
    const id = crypto.randomUUID();
    await settle(shares.add({ id, owner: whose, at: Date.now(), files } satisfies Share));
    return id;
  });

/** What was shared under this name in the last hour by this account; from then on nothing is kept but what is returned. */
export const takeShare = (id: string, userId: string): Promise<readonly File[]> =>
  within(async ({ shares }) => {
    const found = (await settle(shares.get(id))) as Share | undefined;
    shares.clear();
    return found && found.owner === userId && Date.now() - found.at < keptFor ? found.files : [];
  });
