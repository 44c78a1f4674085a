/** The pending list as plain data: what was chosen, and how far each file has come. */
import type { Image } from '../../server/contract.ts';
import { identityOf, sizeOf } from './known.ts';

export type Status = 'pending' | 'waiting' | 'sending' | 'stored' | 'refused';

export interface PendingFile {
  readonly id: number;
  readonly file: File;
  readonly status: Status;
  /** bytes of this file that have left the browser */
  readonly sent: number;
  /** bytes a second, while it is on its way and there is something to measure */
  readonly speed?: number | undefined;
  /** why it was not stored, for people */
  readonly reason?: string;
  /** of a stored one: what its link does with the place where it was taken */
  readonly location?: Image['location'];
  /** of a stored one: the account had the same bytes already */
  readonly duplicate?: boolean;
  /** what the server is told it is called, since it was first sent: sent again under it, it is stored once */
  readonly key?: string | undefined;
  /** of one that goes in pieces: where the server has what came of it so far */
  readonly url?: string | undefined;
}

export type PendingList = readonly PendingFile[];

/** Appends files; one with the name, size and date of a listed one is kept once. */
export function addFiles(list: PendingList, files: readonly File[], nextId: () => number): PendingList {
  return restoreFiles(
    list,
    files.map((file) => ({ file })),
    nextId,
  ).files;
}

/** A file inside a running request cannot be taken out of it. */
export const isRemovable = (item: PendingFile): boolean => item.status !== 'sending' && item.status !== 'stored';

export const removeFile = (list: PendingList, id: number): PendingList =>
  list.filter((item) => item.id !== id || !isRemovable(item));

/** Puts what was taken off a list back where it stood in it; what is listed again already stays as it is. */
export function putBack(list: PendingList, before: PendingList, gone: PendingList): PendingList {
  const known = new Set(list.filter((item) => item.status !== 'stored').map((item) => identityOf(item.file)));
  const back = gone
    .filter((item) => !known.has(identityOf(item.file)))
    .map(({ id, file, key }): PendingFile => ({ id, file, key, status: 'pending', sent: 0 }));
  const places = new Map(before.map((item, place) => [item.id, place]));
  const placeOf = ({ id }: PendingFile): number => places.get(id) ?? before.length;
  return back.length === 0 ? list : [...list, ...back].sort((one, other) => placeOf(one) - placeOf(other));
}

export const withoutStored = (list: PendingList): PendingList => list.filter((item) => item.status !== 'stored');

/** A file that was listed before the page was left. */
export type KeptFile = Pick<PendingFile, 'file' | 'url' | 'key'>;

/** Puts back what was listed before. Returns the list, and of each file its id, or undefined where the like of it is listed. */
export function restoreFiles(
  list: PendingList,
  kept: readonly KeptFile[],
  nextId: () => number,
): { files: PendingList; ids: readonly (number | undefined)[] } {
  const known = new Set(list.filter((item) => item.status !== 'stored').map((item) => identityOf(item.file)));
  const fresh: PendingFile[] = [];
  const ids = kept.map(({ file, url, key }) => {
    const like = identityOf(file);
    if (known.has(like)) return undefined;
    known.add(like);
    const id = nextId();
    fresh.push({ id, file, url, key, status: 'pending', sent: 0 });
    return id;
  });
  return { files: fresh.length === 0 ? list : [...list, ...fresh], ids };
}

export type Change = Omit<Partial<PendingFile>, 'id' | 'file'>;

/** Applies one change per file id; files that are not named stay the same objects, so that their tiles need not render. */
export function applyChanges(list: PendingList, changes: ReadonlyMap<number, Change>): PendingList {
  return list.map((item) => {
    const change = changes.get(item.id);
    return change === undefined ? item : { ...item, ...change };
  });
}

export const setAll = (ids: Iterable<number>, change: Change): Map<number, Change> =>
  new Map([...ids].map((id) => [id, change]));

export const bytesOf = (list: PendingList): number => list.reduce((sum, item) => sum + sizeOf(item.file), 0);

/** The file's extension for a tile that cannot show a picture: `HEIC`, or `FILE` where the name has none. */
export function extensionLabel(name: string): string {
  const match = /\.([\p{L}\p{N}]{1,8})$/u.exec(name);
  return (match?.[1] ?? 'file').toUpperCase();
}

/** The file whose control takes the focus when the one of this id goes: the next, else none (the zone takes it). */
export function nextFocus(list: PendingList, id: number): number | null {
  const index = list.findIndex((item) => item.id === id);
  return list.slice(index + 1).find(isRemovable)?.id ?? null;
}
