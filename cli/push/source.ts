/** Reads a file to send, and notices when it changes meanwhile. Never writes to it. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ChangedFile } from '../api/changed-file.ts';
import { bytesSource, largestForm, type Source } from '../api/upload.ts';
import { bytesOf } from '../paths.ts';
import type { Found } from './scan.ts';

/** @throws ChangedFile */
export async function checkUnchanged({ path, size, mtime }: Found): Promise<void> {
  const now = await stat(bytesOf(path));
  if (now.size !== size || now.mtimeMs !== mtime) throw new ChangedFile();
}

/** A small file is read once, so that exactly the checked bytes are sent. @throws ChangedFile; errors of the file system */
export async function sourceOf(file: Found, name: string): Promise<Source> {
  const { path, size } = file;
  if (size <= largestForm) {
    const bytes = await readFile(bytesOf(path));
    await checkUnchanged(file);
    return bytesSource(name, bytes);
  }
  await checkUnchanged(file);
  return {
    name,
    size,
    read: (from, to) =>
      to > from
        ? createReadStream(bytesOf(path), { start: from, end: to - 1, highWaterMark: 2 ** 18 })
        : Readable.from([]),
  };
}
