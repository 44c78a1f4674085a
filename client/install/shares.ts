/**
 * Pictures that another app shared, from the moment the service worker takes them until the upload page puts them into the
 * pending list: in a database of the browser's, since a login may come between.
 */
const database = 'shares';
const store = 'shares';
/** Milliseconds. Who shared and never came to log in has given up; whoever logs in later is somebody else. */
const keptFor = 3_600_000;

interface Share {
  readonly at: number;
  readonly files: readonly File[];
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Runs `use` in one transaction, so that of two pages one alone takes a share. */
async function within<Result>(use: (shares: IDBObjectStore) => Promise<Result>): Promise<Result> {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store, { autoIncrement: true });
  const opened = await settle(opening);
  try {
    const transaction = opened.transaction(store, 'readwrite');
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([use(transaction.objectStore(store)), done]);
    return result;
  } finally {
    opened.close();
  }
}

/** @throws where the browser has no room for them */
export const keepShare = (files: readonly File[]): Promise<unknown> =>
  within((shares) => settle(shares.add({ at: Date.now(), files } satisfies Share)));

/** What was shared in the last hour, in order; from then on it is nowhere but in what is returned. */
export async function takeShares(): Promise<readonly File[]> {
  const all = await within(async (shares) => {
    const found: Share[] = await settle(shares.getAll());
    shares.clear();
    return found;
  });
  return all.filter(({ at }) => Date.now() - at < keptFor).flatMap(({ files }) => files);
}
