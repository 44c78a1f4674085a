/** How files come onto the pending list and leave it; of many bit by bit, so that nothing holds the page up. */
import { readBitByBit } from './known.ts';
import {
  addFiles,
  type KeptFile,
  type PendingList,
  putBack,
  removeFile,
  restoreFiles,
  withoutStored,
} from './pending.ts';
import type { UploadStore } from './upload-store.ts';

/** Files whose sizes take long to read. */
const MANY = 200;

export interface ListingParts {
  /** What came of a file that is not wanted any more need not wait on the server. */
  readonly abandon: (url: string) => void;
}

/** @param send files that are to be sent as soon as they are listed */
export function createListing(store: UploadStore, { abandon }: ListingParts, send: (ids: readonly number[]) => void) {
  const { get, set, emit, idsWhere } = store;
  let lastId = 0;
  /** Grows when the list is forgotten. */
  let epoch = 0;
  /** Files that come onto the list bit by bit: whether they are sent when they are there, or wanted no more. */
  const readings = new Set<{ pressed: boolean; dropped: boolean }>();

  const append = (files: readonly File[]): number => {
    const before = get().files;
    const next = addFiles(before, files, () => ++lastId);
    const count = next.length - before.length;
    if (count > 0) set({ files: next });
    return count;
  };

  const tellAdded = (count: number): void => emit({ kind: 'added', count, pending: withoutStored(get().files).length });

  const appendBitByBit = async (files: readonly File[]): Promise<void> => {
    const reading = { pressed: false, dropped: false };
    readings.add(reading);
    const first = lastId + 1;
    let count = 0;
    for await (const some of readBitByBit(files)) {
      if (reading.dropped) return;
      count += append(some);
    }
    readings.delete(reading);
    tellAdded(count);
    if (reading.pressed) send(idsWhere('pending').filter((id) => id >= first));
  };

  const dropReadings = (): void => {
    for (const reading of readings) reading.dropped = true;
    readings.clear();
  };

  /** @returns what puts the files back, unless the list was forgotten meanwhile */
  const undoing = (before: PendingList, gone: PendingList) => {
    const then = epoch;
    return (): void => {
      const list = get().files;
      const files = epoch === then ? putBack(list, before, gone) : list;
      const count = files.length - list.length;
      if (count === 0) return;
      set({ files });
      tellAdded(count);
    };
  };

  return {
    add(files: readonly File[]): void {
      if (files.length > MANY) void appendBitByBit(files);
      else if (files.length > 0) tellAdded(append(files));
    },
    restore(kept: readonly KeptFile[]): readonly (number | undefined)[] {
      const before = get().files;
      const { files, ids } = restoreFiles(before, kept, () => ++lastId);
      if (files !== before) set({ files });
      return ids;
    },
    /** @returns the file that was removed, and what undoes it; undefined where there was nothing to remove */
    remove(id: number) {
      const before = get().files;
      const item = before.find((one) => one.id === id);
      const files = removeFile(before, id);
      if (item === undefined || files.length === before.length) return undefined;
      set({ files });
      if (item.url !== undefined) abandon(item.url);
      emit({ kind: 'removed', name: item.file.name, pending: files.length });
      return { item, undo: undoing(before, [item]) };
    },
    clear(): { count: number; undo: () => void } {
      dropReadings();
      const { files: before, run } = get();
      const files = before.filter((item) => run?.ids.has(item.id));
      const gone = before.filter((item) => !files.includes(item));
      set({ files });
      for (const { url } of gone) if (url !== undefined) abandon(url);
      return { count: gone.length, undo: undoing(before, gone) };
    },
    /** What is about to be listed is sent too, once it is. */
    pressed(): void {
      for (const reading of readings) reading.pressed = true;
    },
    /** Nothing more comes onto the list of what was chosen so far, nor back onto it. */
    forget(): void {
      dropReadings();
      epoch += 1;
    },
  };
}
