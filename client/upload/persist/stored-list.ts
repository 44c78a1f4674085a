/**
 * Keeps the pending list across reloads and closed tabs, per account and in one tab at a time. After a reload only an interrupted
 * upload resumes. Without storage, or without room for the files, only this persistence is lost.
 */
import type { PendingFile } from '../list/pending.ts';
import type { Uploader } from '../uploader.ts';

export type Value = File | string | boolean | undefined;

/** A key-value store. Each call is one transaction; calls run in order. */
export interface QueueStorage {
  entries(): Promise<[string, Value][]>;
  setMany(entries: [string, Value][]): Promise<void>;
  delMany(keys: string[]): Promise<void>;
}

/** Files per transaction: each is copied, and the page must stay responsive in between. */
const AT_ONCE = 40;

const keysOf = (prefix: string, number: number) => {
  const key = `${prefix}${String(number).padStart(8, '0')}`;
  return { file: `${key}/file`, key: `${key}/key`, url: `${key}/url`, sending: `${key}/sending` };
};

const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

const isSending = ({ status }: PendingFile): boolean => status === 'waiting' || status === 'sending';

function keptIn(entries: readonly [string, Value][], prefix: string) {
  const mine = entries.filter(([key]) => key.startsWith(prefix));
  const values = new Map(mine);
  const kept = mine.flatMap(([key, file]) => {
    const number = Number(/(\d{8})\/file$/.exec(key)?.[1]);
    if (!(file instanceof File) || Number.isNaN(number)) return [];
    const keys = keysOf(prefix, number);
    const textAt = (at: string): string | undefined => {
      const value = values.get(at);
      return typeof value === 'string' ? value : undefined;
    };
    return [{ number, file, key: textAt(keys.key), url: textAt(keys.url), sending: values.get(keys.sending) === true }];
  });
  return {
    kept: kept.sort((one, other) => one.number - other.number),
    running: values.get(`${prefix}running`) === true,
    // Keys without their file, which did not fit or was not written in time.
    orphans: [...values.keys()].filter((key) => {
      const [, file] = /^(.*\/\d{8}\/)(?:key|url|sending)$/.exec(key) ?? [];
      return file !== undefined && !values.has(`${file}file`);
    }),
  };
}

/**
 * @param takeTurn resolves once this page may keep the list
 * @returns a function that restores an account's list, then keeps it until the signal aborts
 */
export function createQueue(storage: QueueStorage, takeTurn: () => Promise<void>) {
  // One lock per page, for all accounts: a second request would wait for this page to close.
  let turn: Promise<void> | undefined;

  return async (uploader: Uploader, owner: string, signal: AbortSignal): Promise<void> => {
    const prefix = `${owner}/`;
    turn ??= takeTurn();
    await turn;
    if (signal.aborted) return;
    const { kept, running, orphans } = keptIn(await storage.entries(), prefix);
    if (signal.aborted) return;
    const writer = createWriter(storage, prefix, running, (kept.at(-1)?.number ?? 0) + 1);
    const ids = uploader.restore(kept);
    const gone = [...orphans];
    const interrupted: number[] = [];
    kept.forEach(({ number, file, key, url, sending }, index) => {
      const id = ids[index];
      if (id === undefined) {
        gone.push(...Object.values(keysOf(prefix, number)));
        return;
      }
      writer.know(number, { id, file, key, url, status: sending ? 'waiting' : 'pending', sent: 0 });
      if (sending) interrupted.push(id);
    });
    if (gone.length > 0) quietly(storage.delMany(gone));
    if (running) uploader.goOn(interrupted);
    writer.write(uploader);
    const off = uploader.subscribe(() => writer.write(uploader));
    signal.addEventListener('abort', off);
  };
}

function createWriter(storage: QueueStorage, prefix: string, wasRunning: boolean, first: number) {
  const numbers = new Map<number, number>();
  /** The files as last written. */
  let before: PendingFile[] = [];
  let running = wasRunning;
  let next = first;

  const unwritten: PendingFile[] = [];
  let writing = false;
  const writeFiles = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    while (unwritten.length > 0) {
      // A file removed from the list meanwhile has no number.
      const some = unwritten.splice(0, AT_ONCE).flatMap(({ id, file }): [string, Value][] => {
        const number = numbers.get(id);
        return number === undefined ? [] : [[keysOf(prefix, number).file, file]];
      });
      if (some.length > 0) await storage.setMany(some).catch(() => undefined);
    }
    writing = false;
  };

  return {
    /** Records that a file is already stored under this number. */
    know(number: number, item: PendingFile): void {
      numbers.set(item.id, number);
      before.push(item);
    },
    /** Writes the changes since the last call. */
    write(uploader: Pick<Uploader, 'getState'>): void {
      const { files, run } = uploader.getState();
      const old = new Map(before.map((item) => [item.id, item]));
      const values: [string, Value][] = [];
      before = files.filter((item) => item.status !== 'stored');
      for (const item of before) {
        const known = old.get(item.id);
        old.delete(item.id);
        if (known === item) continue;
        const number = numbers.get(item.id) ?? next++;
        numbers.set(item.id, number);
        const keys = keysOf(prefix, number);
        if (known === undefined) unwritten.push(item);
        if (known?.key !== item.key) values.push([keys.key, item.key]);
        if (known?.url !== item.url) values.push([keys.url, item.url]);
        if ((known !== undefined && isSending(known)) !== isSending(item)) values.push([keys.sending, isSending(item)]);
      }
      const gone = [...old.keys()].flatMap((id) => {
        const number = numbers.get(id);
        numbers.delete(id);
        return number === undefined ? [] : Object.values(keysOf(prefix, number));
      });
      const isRunning = run !== null && !run.paused;
      if (isRunning !== running) values.push([`${prefix}running`, isRunning]);
      running = isRunning;
      if (gone.length > 0) quietly(storage.delMany(gone));
      if (values.length > 0) quietly(storage.setMany(values));
      void writeFiles();
    },
  };
}
