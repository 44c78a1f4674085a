/** Adds files to the pending list and removes them. Many files are added in batches, which keeps the page responsive. */
import type { UploadStore } from '../upload-store.ts';
import { readInBatches } from './file-info.ts';
import {
  addFiles,
  type PendingList,
  putBack,
  type RestoredFile,
  removeFile,
  restoreFiles,
  withoutStored,
} from './pending.ts';

/** From this many files on, reading their sizes takes long. */
const MANY = 200;

interface Actions {
  /** Deletes the server's part of an upload; not awaited. */
  readonly deleteUpload: (url: string) => void;
  /** Sends files that were added while Upload was pressed. */
  readonly send: (ids: readonly number[]) => void;
}

/** Adds many files in batches. @param append returns how many were new */
function createReadings(append: (files: readonly File[]) => number) {
  /** Files being added: whether to send them once listed, or to drop them. */
  const readings = new Set<{ pressed: boolean; dropped: boolean }>();
  return {
    async read(files: readonly File[], onListed: (count: number, isPressed: boolean) => void): Promise<void> {
      const reading = { pressed: false, dropped: false };
      readings.add(reading);
      let count = 0;
      for await (const some of readInBatches(files)) {
        if (reading.dropped) return;
        count += append(some);
      }
      readings.delete(reading);
      onListed(count, reading.pressed);
    },
    press(): void {
      for (const reading of readings) reading.pressed = true;
    },
    drop(): void {
      for (const reading of readings) reading.dropped = true;
      readings.clear();
    },
  };
}

export function createListActions(store: UploadStore, { deleteUpload, send }: Actions) {
  const { get, set, emit, idsWhere } = store;
  let lastId = 0;
  /** Increases whenever the list is forgotten. */
  let epoch = 0;

  const append = (files: readonly File[]): number => {
    const before = get().files;
    const next = addFiles(before, files, () => ++lastId);
    const count = next.length - before.length;
    if (count > 0) set({ files: next });
    return count;
  };

  const readings = createReadings(append);

  const reportAdded = (count: number): void =>
    emit({ kind: 'added', count, pending: withoutStored(get().files).length });

  const appendInBatches = (files: readonly File[]): Promise<void> => {
    const first = lastId + 1;
    return readings.read(files, (count, isPressed) => {
      reportAdded(count);
      if (isPressed) send(idsWhere('pending').filter((id) => id >= first));
    });
  };

  /** @returns a function that puts the files back, unless the list was forgotten meanwhile */
  const undoing = (before: PendingList, gone: PendingList) => {
    const then = epoch;
    return (): void => {
      const list = get().files;
      const files = epoch === then ? putBack(list, before, gone) : list;
      const count = files.length - list.length;
      if (count === 0) return;
      set({ files });
      reportAdded(count);
    };
  };

  return {
    add(files: readonly File[]): void {
      if (files.length > MANY) void appendInBatches(files);
      else if (files.length > 0) reportAdded(append(files));
    },
    restore(restored: readonly RestoredFile[]): readonly (number | undefined)[] {
      const before = get().files;
      const { files, ids } = restoreFiles(before, restored, () => ++lastId);
      if (files !== before) set({ files });
      return ids;
    },
    /** @returns the removed file and a function that undoes the removal; undefined if nothing was removed */
    remove(id: number) {
      const before = get().files;
      const item = before.find((one) => one.id === id);
      const files = removeFile(before, id);
      if (item === undefined || files.length === before.length) return undefined;
      set({ files });
      if (item.url !== undefined) deleteUpload(item.url);
      emit({ kind: 'removed', name: item.file.name, pending: files.length });
      return { item, undo: undoing(before, [item]) };
    },
    clear(): { count: number; undo: () => void } {
      readings.drop();
      const { files: before, job } = get();
      const files = before.filter(({ id }) => job?.ids.has(id));
      const gone = before.filter(({ id }) => !job?.ids.has(id));
      set({ files });
      for (const { url } of gone) if (url !== undefined) deleteUpload(url);
      return { count: gone.length, undo: undoing(before, gone) };
    },
    /** Files still being added will be sent too. */
    sendAdded: readings.press,
    /** Drops files still being added, and disables undo. */
    forget(): void {
      readings.drop();
      epoch += 1;
    },
  };
}
