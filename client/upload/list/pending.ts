/** The pending list as plain data. Progress is separate (send/progress.ts), so that it does not replace the list. */
import type { Image } from '../../../server/contract.ts';
import { identityOf, sizeOf } from './file-info.ts';

export type Status = 'pending' | 'waiting' | 'sending' | 'stored' | 'refused';

export interface PendingFile {
  readonly id: number;
  readonly file: File;
  /** bytes; reading it from the file is slow */
  readonly size: number;
  readonly status: Status;
  /** why it was refused, for people */
  readonly reason?: string | undefined;
  /** of a refused file: whether it would be refused again */
  readonly isFinal?: boolean;
  /** of a stored file: what its link does with the location in its metadata */
  readonly location?: Image['location'];
  /** of a stored file: whether the account already had the same bytes */
  readonly duplicate?: boolean;
  /** upload key: a file sent again with the same key is stored once */
  readonly key?: string | undefined;
  /** of a resumable upload: its URL on the server */
  readonly url?: string | undefined;
}

export type PendingList = readonly PendingFile[];

/** Appends files, except those with the name, size and date of a listed one. */
export function addFiles(list: PendingList, files: readonly File[], nextId: () => number): PendingList {
  return restoreFiles(
    list,
    files.map((file) => ({ file })),
    nextId,
  ).files;
}

/** A file in a running request cannot be removed from it. */
export const isRemovable = (item: PendingFile): boolean => item.status !== 'sending' && item.status !== 'stored';

/** Whether sending a refused file again may succeed. */
export const isRetriable = ({ status, isFinal }: PendingFile): boolean => status === 'refused' && !isFinal;

export const removeFile = (list: PendingList, id: number): PendingList =>
  list.filter((item) => item.id !== id || !isRemovable(item));

/** Puts removed files back at their former position, unless the same file is listed again. */
export function putBack(list: PendingList, before: PendingList, gone: PendingList): PendingList {
  const known = new Set(list.filter((item) => item.status !== 'stored').map((item) => identityOf(item.file)));
  const back = gone
    .filter((item) => !known.has(identityOf(item.file)))
    .map(({ id, file, size, key }): PendingFile => ({ id, file, size, key, status: 'pending' }));
  const places = new Map(before.map((item, place) => [item.id, place]));
  const placeOf = ({ id }: PendingFile): number => places.get(id) ?? before.length;
  return back.length === 0 ? list : [...list, ...back].sort((one, other) => placeOf(one) - placeOf(other));
}

/** The list itself if nothing is stored. */
export const withoutStored = (list: PendingList): PendingList =>
  list.some((item) => item.status === 'stored') ? list.filter((item) => item.status !== 'stored') : list;

/** A file from the list of an earlier visit. */
export type RestoredFile = Pick<PendingFile, 'file' | 'url' | 'key'>;

/** Restores files from an earlier visit. @returns the list, and each file's id, or undefined if the same file is listed */
export function restoreFiles(
  list: PendingList,
  restored: readonly RestoredFile[],
  nextId: () => number,
): { files: PendingList; ids: readonly (number | undefined)[] } {
  const known = new Set(list.filter((item) => item.status !== 'stored').map((item) => identityOf(item.file)));
  const fresh: PendingFile[] = [];
  const ids = restored.map(({ file, url, key }) => {
    const like = identityOf(file);
    if (known.has(like)) return undefined;
    known.add(like);
    const id = nextId();
    fresh.push({ id, file, size: sizeOf(file), url, key, status: 'pending' });
    return id;
  });
  return { files: fresh.length === 0 ? list : [...list, ...fresh], ids };
}

export type Change = Omit<Partial<PendingFile>, 'id' | 'file' | 'size'>;
/** One change per file id. */
export type Changes = ReadonlyMap<number, Change>;

/** Applies changes. Other files stay the same objects, so that their tiles do not render again. */
export function applyChanges(list: PendingList, changes: Changes): PendingList {
  if (changes.size === 0) return list;
  return list.map((item) => {
    const change = changes.get(item.id);
    return change === undefined ? item : { ...item, ...change };
  });
}

export const setAll = (ids: Iterable<number>, change: Change): Map<number, Change> =>
  new Map([...ids].map((id) => [id, change]));

export const bytesOf = (list: PendingList): number => list.reduce((sum, item) => sum + item.size, 0);

/** The extension for a tile without a thumbnail: `HEIC`, or `FILE` if the name has none. */
export function extensionLabel(name: string): string {
  const match = /\.([\p{L}\p{N}]{1,8})$/u.exec(name);
  return (match?.[1] ?? 'file').toUpperCase();
}

/** The file whose control takes the focus after a removal: the next removable one, or null (the zone then takes it). */
export function nextFocus(list: PendingList, id: number): number | null {
  const index = list.findIndex((item) => item.id === id);
  return list.slice(index + 1).find(isRemovable)?.id ?? null;
}
