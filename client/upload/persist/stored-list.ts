/**
 * Keeps the pending list across reloads and closed tabs, per account and in one tab at a time. After a reload only an interrupted
 * upload resumes. Without storage, or without room for the files, only this persistence is lost.
 */
import type { PendingFile, PendingList } from '../list/pending.ts';
import type { UploadState } from '../upload-store.ts';
import type { Uploader } from '../uploader.ts';

/** A file, its upload key or URL, or ranges of numbers. */
export type Value = File | string | readonly number[] | undefined;

/** Removes all keys from the first to the last. */
export type KeyRange = readonly [first: string, last: string];

/** A key-value store. Each call is one transaction; calls run in order. */
export interface ListStorage {
  /** Entries whose keys begin with `prefix`, in the order of their keys. */
  read(prefix: string): Promise<[string, Value][]>;
  /** Removes ranges, then sets entries. */
  write(entries: readonly [string, Value][], removed: readonly KeyRange[]): Promise<unknown>;
}

/** Files per transaction: each is copied, and the page must stay responsive in between. */
const AT_ONCE = 40;

/** Sorts after every key that continues with digits and a slash. */
const END = '\uffff';

const padded = (number: number): string => String(number).padStart(8, '0');
const keysOf = (prefix: string, number: number) => {
  const key = `${prefix}${padded(number)}`;
  return { file: `${key}/file`, key: `${key}/key`, url: `${key}/url` };
};
/** The numbers of the files that an interrupted upload still has to send, as pairs of a first and a last one. */
const sendingKey = (prefix: string): string => `${prefix}sending`;

type WrittenFile = Pick<PendingFile, 'id' | 'key' | 'url'>;

const inBackground = (work: Promise<unknown>): void => void work.catch(() => undefined);

const isSending = ({ status }: PendingFile): boolean => status === 'waiting' || status === 'sending';

/** Consecutive numbers as pairs of a first and a last one. */
function rangesOf(numbers: readonly number[]): number[] {
  const ranges: number[] = [];
  for (const number of numbers) {
    if (number === (ranges.at(-1) ?? Number.NaN) + 1) ranges[ranges.length - 1] = number;
    else ranges.push(number, number);
  }
  return ranges;
}

const pairsOf = (ranges: readonly number[]): (readonly [first: number, last: number])[] =>
  ranges.flatMap((first, at) => (at % 2 === 0 ? [[first, ranges[at + 1] ?? first] as const] : []));

const isRanges = (value: Value): value is readonly number[] => Array.isArray(value);

function restoredFrom(entries: readonly [string, Value][], prefix: string) {
  const values = new Map(entries);
  const textAt = (key: string): string | undefined => {
    const value = values.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const marked = values.get(sendingKey(prefix));
  const sending = isRanges(marked) ? pairsOf(marked) : [];
  const isMarked = (number: number): boolean => sending.some(([first, last]) => first <= number && number <= last);
  const restored = entries.flatMap(([key, file]) => {
    const number = Number(/(\d{8})\/file$/.exec(key)?.[1]);
    if (!(file instanceof File) || Number.isNaN(number)) return [];
    const keys = keysOf(prefix, number);
    return [{ number, file, key: textAt(keys.key), url: textAt(keys.url), sending: isMarked(number) }];
  });
  // Keys without their file, which did not fit or was not written in time.
  const orphans = entries.flatMap(([key]): KeyRange[] => {
    const [, file] = /^(.*\/\d{8}\/)(?!file$)/.exec(key) ?? [];
    return file === undefined || values.has(`${file}file`) ? [] : [[key, key]];
  });
  return { restored, orphans, marked: String(marked ?? '') };
}

/**
 * @param takeTurn resolves once this page may keep the owner's list
 * @param whenFree runs a write once the page has answered the press that caused it
 * @returns a function that restores an account's list, then keeps it until the signal aborts
 */
export function createStoredList(
  storage: ListStorage,
  takeTurn: (owner: string) => Promise<void>,
  whenFree: (write: () => void) => void,
) {
  // By owner: a second request of this page would wait for the page to close.
  const turns = new Map<string, Promise<void>>();

  return async (uploader: Uploader, owner: string, signal: AbortSignal): Promise<void> => {
    const prefix = `${owner}/`;
    const turn = turns.get(owner) ?? takeTurn(owner);
    turns.set(owner, turn);
    await turn;
    if (signal.aborted) return;
    const { restored, orphans, marked } = restoredFrom(await storage.read(prefix), prefix);
    if (signal.aborted) return;
    const writer = createWriter(storage, prefix, marked, (restored.at(-1)?.number ?? 0) + 1);
    const ids = uploader.restore(restored);
    const gone = [...orphans];
    const interrupted: number[] = [];
    restored.forEach(({ number, key, url, sending }, index) => {
      const id = ids[index];
      if (id === undefined) {
        gone.push(rangeOf(prefix, number, number));
        return;
      }
      writer.setWritten(number, { id, key, url });
      if (sending) interrupted.push(id);
    });
    if (gone.length > 0) inBackground(storage.write([], gone));
    if (interrupted.length > 0) uploader.resumeInterrupted(interrupted);
    writer.write(uploader.getState());
    let isDue = false;
    const flush = (): void => {
      if (isDue) writer.write(uploader.getState());
      isDue = false;
    };
    const off = uploader.subscribe(() => {
      if (isDue) return;
      isDue = true;
      whenFree(flush);
    });
    signal.addEventListener('abort', () => {
      flush();
      off();
    });
  };
}

const rangeOf = (prefix: string, first: number, last: number): KeyRange => [
  `${prefix}${padded(first)}/`,
  `${prefix}${padded(last)}/${END}`,
];

/** @param marked the numbers that are stored as being sent, as text */
function createWriter(storage: ListStorage, prefix: string, marked: string, firstFree: number) {
  /** The files as last written, and their numbers, by id. Numbers increase in the order in which files were added. */
  const written = new Map<number, { number: number; item: WrittenFile }>();
  let next = firstFree;
  /** The list and the job's phase at the last write. */
  let [files, isRunning]: [PendingList | null, boolean] = [null, false];
  let sending = marked;

  const unwritten: PendingFile[] = [];
  let writing = false;
  const writeFiles = async (): Promise<void> => {
    if (writing) return;
    writing = true;
    while (unwritten.length > 0) {
      // A file removed from the list meanwhile is not written any more.
      const some = unwritten.splice(0, AT_ONCE).flatMap(({ id, file }): [string, Value][] => {
        const number = written.get(id)?.number;
        return number === undefined ? [] : [[keysOf(prefix, number).file, file]];
      });
      if (some.length > 0) await storage.write(some, []).catch(() => undefined);
    }
    writing = false;
  };

  /** @returns the ranges of the files that are no longer listed */
  const forgetMissing = (listed: PendingList): KeyRange[] => {
    const ids = new Set(listed.map(({ id }) => id));
    const gone: number[] = [];
    for (const [id, { number }] of written) {
      if (ids.has(id)) continue;
      gone.push(number);
      written.delete(id);
    }
    return pairsOf(rangesOf(gone.sort((one, other) => one - other))).map(([first, last]) =>
      rangeOf(prefix, first, last),
    );
  };

  return {
    /** Records that a file is already stored under this number. */
    setWritten(number: number, item: WrittenFile): void {
      written.set(item.id, { number, item });
    },
    /** Writes the changes since the last call, in one transaction apart from the files themselves. */
    write(state: Pick<UploadState, 'files' | 'job'>): void {
      const wasRunning = isRunning;
      isRunning = state.job !== null && state.job.phase.kind !== 'paused';
      if (state.files === files && isRunning === wasRunning) return;
      files = state.files;
      const listed = files.filter((item) => item.status !== 'stored');
      const values: [string, Value][] = [];
      for (const item of listed) {
        const before = written.get(item.id);
        if (before?.item === item) continue;
        const number = before?.number ?? next++;
        written.set(item.id, { number, item });
        if (before === undefined) unwritten.push(item);
        if (before?.item.key === item.key && before?.item.url === item.url) continue;
        const keys = keysOf(prefix, number);
        if (before?.item.key !== item.key) values.push([keys.key, item.key]);
        if (before?.item.url !== item.url) values.push([keys.url, item.url]);
      }
      const gone = written.size > listed.length ? forgetMissing(listed) : [];
      const numbers = isRunning ? listed.filter(isSending).map(({ id }) => written.get(id)?.number ?? 0) : [];
      const ranges = rangesOf(numbers.sort((one, other) => one - other));
      if (ranges.join() !== sending) values.push([sendingKey(prefix), ranges]);
      sending = ranges.join();
      if (values.length + gone.length > 0) inBackground(storage.write(values, gone));
      void writeFiles();
    },
  };
}
