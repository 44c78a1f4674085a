/**
 * The pending list in IndexedDB: it outlives a reload and a closed tab, and what was being sent goes on. Each account has its
 * own; one tab at a time keeps it. A browser that keeps nothing, or has no room for the files, loses no more than this.
 */
import { clear, createStore, delMany, entries, set, setMany } from 'idb-keyval';
import type { PendingFile } from './pending.ts';
import type { Uploader } from './uploader.ts';

const store = createStore('uploads', 'queue');
const lockName = 'upload-queue';

/** Files of one transaction: each is copied, and the page has other things to do in between. */
const AT_ONCE = 40;

type Value = File | string | boolean | undefined;

const keysOf = (prefix: string, number: number) => {
  const key = `${prefix}${String(number).padStart(8, '0')}`;
  return { file: `${key}/file`, url: `${key}/url` };
};

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

const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

async function readAll(prefix: string) {
  const found = (await entries<string, Value>(store)).filter(([key]) => key.startsWith(prefix));
  const values = new Map(found);
  const kept = found.flatMap(([key, file]) => {
    const number = Number(/(\d{8})\/file$/.exec(key)?.[1]);
    if (!(file instanceof File) || Number.isNaN(number)) return [];
    const url = values.get(keysOf(prefix, number).url);
    return [{ number, file, url: typeof url === 'string' ? url : undefined }];
  });
  return {
    kept: kept.sort((one, other) => one.number - other.number),
    running: values.get(`${prefix}running`) === true,
  };
}

/** Keeps the uploader's list for an account, once what it had kept before stands in it again. */
export async function keepQueue(uploader: Uploader, owner: string, isCurrent: () => boolean): Promise<void> {
  const prefix = `${owner}/`;
  await takeTurn();
  const { kept, running } = await readAll(prefix);
  if (!isCurrent()) return;
  const numbers = new Map<number, number>();
  let next = (kept.at(-1)?.number ?? 0) + 1;
  const ids = uploader.restore(kept);
  kept.forEach(({ number }, index) => {
    const id = ids[index];
    if (id !== undefined) numbers.set(id, number);
    else quietly(delMany(Object.values(keysOf(prefix, number)), store));
  });
  let before: readonly PendingFile[] =
    ids.length > 0 ? uploader.getState().files.filter(({ id }) => numbers.has(id)) : [];

  const unwritten: PendingFile[] = [];
  let writing = false;
  const writeFiles = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    while (unwritten.length > 0) {
      // What was taken off the list meanwhile has no number any more.
      const some = unwritten.splice(0, AT_ONCE).flatMap(({ id, file }): [string, Value][] => {
        const number = numbers.get(id);
        return number === undefined ? [] : [[keysOf(prefix, number).file, file]];
      });
      if (some.length > 0) await setMany(some, store).catch(() => undefined);
    }
    writing = false;
  };

  const write = (): void => {
    const { files } = uploader.getState();
    if (files === before) return;
    const old = new Map(before.map((item) => [item.id, item]));
    const places: [string, Value][] = [];
    for (const item of files) {
      const known = old.get(item.id);
      old.delete(item.id);
      if (known === item || item.status === 'stored') {
        if (known !== item) old.set(item.id, item);
        continue;
      }
      if (!numbers.has(item.id)) numbers.set(item.id, next++);
      const keys = keysOf(prefix, numbers.get(item.id) ?? 0);
      if (known === undefined) unwritten.push(item);
      if (known?.url !== item.url) places.push([keys.url, item.url]);
    }
    const gone = [...old.keys()].flatMap((id) => {
      const number = numbers.get(id);
      numbers.delete(id);
      return number === undefined ? [] : Object.values(keysOf(prefix, number));
    });
    before = files.filter((item) => item.status !== 'stored');
    if (gone.length > 0) quietly(delMany(gone, store));
    if (places.length > 0) quietly(setMany(places, store));
    void writeFiles();
  };
  write();
  const off = [
    uploader.subscribe(() => {
      if (isCurrent()) write();
      else for (const stop of off) stop();
    }),
    uploader.onEvent(({ kind }) => {
      const isRunning = kind === 'started' || kind === 'resumed';
      if (isRunning || kind === 'ended' || kind === 'paused') quietly(set(`${prefix}running`, isRunning, store));
    }),
  ];
  if (running && uploader.getState().run === null) uploader.start();
}

/** What was kept for whoever has left. */
export const forgetQueue = (): Promise<void> => clear(store).catch(() => undefined);
