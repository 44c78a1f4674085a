/** The files of dropped folders, without what systems write beside pictures. */

import { type ChosenFiles, isOfSystem } from './system-files.ts';

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A reader gives a part of its folder at a time, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return children;
    children.push(...some);
  }
}

/** Reads one folder at a time. @throws DOMException if something cannot be read */
export async function filesBelow(folder: FileSystemDirectoryEntry): Promise<ChosenFiles> {
  const found: ChosenFiles = { files: [], leftOut: 0 };
  for (const entry of await childrenOf(folder)) {
    if (isOfSystem(entry.name)) found.leftOut += 1;
    else if (entry.isFile) found.files.push(await fileOf(entry as FileSystemFileEntry));
    else {
      const { files, leftOut } = await filesBelow(entry as FileSystemDirectoryEntry);
      found.files.push(...files);
      found.leftOut += leftOut;
    }
  }
  return found;
}
