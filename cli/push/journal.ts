/**
 * What earlier runs of `push` have done, one JSON object a line. Lines are only appended, so a killed program loses at most
 * its last, unfinished line.
 */
import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../files.ts';
import type { Found } from './scan.ts';

/** The last line of a path counts. `size` and `mtime` are those of the file when the line was written. */
export type Entry = Pick<Found, 'path' | 'size' | 'mtime'> & {
  key: string;
  /** Path of a resumable upload that was begun. */
  upload?: string | undefined;
  /** Id of the stored image. */
  image?: string | undefined;
  /** Id of the album that the image was put into. */
  album?: string | undefined;
  /** Why the server will refuse these bytes whenever they are sent. */
  refused?: string | undefined;
};

export type Journal = ReturnType<typeof openJournal>;

function readEntry(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<Entry> | null;
    return typeof entry?.path === 'string' && typeof entry.key === 'string' ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

const lineOf = (entry: Entry) => `${JSON.stringify(entry)}\n`;

/** Lines beyond those needed, at which the file is written again. */
const spare = 1000;

/** @param file is created if it does not exist @param isReadOnly for a run that changes nothing */
export function openJournal(file: string, isReadOnly = false) {
  const text = readText(file);
  const lines = text.split('\n').filter((line) => line !== '');
  const entries = new Map<string, Entry>();
  for (const line of lines) {
    const entry = readEntry(line);
    if (entry) entries.set(entry.path, entry);
  }
  const isTorn = text !== '' && !text.endsWith('\n');
  let descriptor: number | undefined;
  if (!isReadOnly) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (isTorn || lines.length > entries.size + spare) replaceFile(file, [...entries.values()].map(lineOf).join(''));
    descriptor = openSync(file, 'a', 0o600);
  }

  return {
    /** The entry of exactly this file: another size or date is another file. */
    find({ path, size, mtime }: Pick<Found, 'path' | 'size' | 'mtime'>): Entry | undefined {
      const entry = entries.get(path);
      return entry?.size === size && entry.mtime === mtime ? entry : undefined;
    },
    /** @param isDurable waits until the line survives a power cut */
    add(entry: Entry, isDurable = false): void {
      entries.set(entry.path, entry);
      if (descriptor === undefined) return;
      writeSync(descriptor, lineOf(entry));
      if (isDurable) fdatasyncSync(descriptor);
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
