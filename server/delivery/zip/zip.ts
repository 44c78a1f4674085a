/** Streams several pictures as a ZIP, with one piece in memory at a time. */
import { makeZip, predictLength } from 'client-zip';
import { LRUCache } from 'lru-cache';
import type { ImageRow } from '../../../drizzle/schema.ts';
import { savedName } from '../../images/filename.ts';
import type { ByteReader, StoredBytes } from '../../storage/byte-source.ts';
import type { Originals } from '../originals.ts';
import { archiveNames } from './names.ts';

const piece = 2 ** 16;

/** A picture of an archive. */
export type ArchiveFile = {
  /** Of its image. */
  id: string;
  filename: string;
  lastModified: Date;
  /** Finds the bytes. Called when the archive begins, and again when its turn comes. */
  find: () => Promise<Pick<StoredBytes, 'size' | 'open'>>;
};

/** An original, exactly as uploaded. */
export const originalFile = (originals: Originals, row: ImageRow): ArchiveFile => ({
  id: row.id,
  filename: savedName(row.filename, row.extension),
  lastModified: row.uploadedAt,
  find: async () => ({ size: row.size, open: () => originals.open(row) }),
});

type ArchiveOptions = {
  leftOut?: readonly LeftOut[];
  /** In which everything is, for archives that are unpacked side by side. */
  folder?: string;
  /** Whether files are only found when their turn comes, because that may make them. */
  isLazy?: boolean;
};

type LeftOut = { filename: string; reason: string };

/** Milliseconds for which an unreadable file is omitted from repeated requests. */
const forAWhile = 60_000;

type Entry = {
  name: string;
  lastModified: Date;
  size: number;
  open: () => Promise<ByteReader>;
  /** Called if a read fails. */
  onUnreadable: () => void;
};

async function* bytesOf({ size, open, onUnreadable }: Entry): AsyncGenerator<Uint8Array> {
  const reader = await open();
  try {
    for (let at = 0; at < size; at += piece) {
      // A new buffer for each piece, because earlier ones may still wait to be sent.
      const bytes = Buffer.allocUnsafeSlow(Math.min(piece, size - at));
      await reader.read(bytes, at).catch((error) => {
        onUnreadable();
        throw error;
      });
      yield bytes;
    }
  } finally {
    await reader.close();
  }
}

type Note = { name: string; input: Buffer; size: number };

/** The archive's bytes. Reads one original at a time, and closes it if the client disconnects. */
async function* piecesOf(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  { first = [], last = () => [] }: { first?: readonly Note[]; last?: () => readonly Note[] },
): AsyncGenerator<Uint8Array> {
  let current: AsyncGenerator<Uint8Array> | undefined;
  async function* files() {
    yield* first;
    for await (const entry of entries) {
      current = bytesOf(entry);
      yield { ...entry, input: current };
    }
    yield* last();
  }
  const zip = makeZip(files()).getReader();
  try {
    for (let next = await zip.read(); !next.done; next = await zip.read()) yield next.value;
  } finally {
    // Takes no further file; an archive that failed rejects with its error again.
    await zip.cancel().catch(() => undefined);
    // Waits for a pending open or read.
    await current?.return(undefined);
  }
}

const noteName = 'not-included.txt';

const noteOf = (leftOut: readonly LeftOut[]): Buffer =>
  Buffer.from(leftOut.map(({ filename, reason }) => `${filename}: ${reason}\r\n`).join(''));

/** Refusals for which one picture is left out. */
const ofOnePicture = new Set(['DAMAGED_ORIGINAL', 'LOCATION_WITHHELD', 'RENDITION_UNAVAILABLE']);

export function createArchiver() {
  /** Unreadable images, with the time until which they are omitted (ms since 1970). */
  const unreadable = new LRUCache<string, number>({ max: 1_000 });

  /** @returns the bytes' size, or why the picture is left out */
  async function examine({ id, find }: ArchiveFile): Promise<number | string> {
    if ((unreadable.get(id) ?? 0) > Date.now())
      return 'Its bytes cannot be read on the server. Tell its administrator.';
    try {
      const { size, open } = await find();
      const reader = await open();
      await reader?.close();
      return reader ? size : 'Its bytes are missing on the server. Tell its administrator.';
    } catch (error) {
      if (error instanceof Error && 'code' in error && ofOnePicture.has(String(error.code))) return error.message;
      throw error;
    }
  }

  const entryOf = ({ id, lastModified, find }: ArchiveFile, name: string, size: number): Entry => ({
    name,
    lastModified,
    size,
    async open() {
      const source = await find();
      const reader = await source.open();
      if (!reader) throw new Error('a picture was deleted while an archive was sent');
      if (source.size === size) return reader;
      await reader.close();
      throw new Error('a picture changed while an archive was sent');
    },
    onUnreadable: () => void unreadable.set(id, Date.now() + forAWhile),
  });

  async function* entriesOf(
    files: readonly ArchiveFile[],
    names: readonly string[],
    missing: LeftOut[],
  ): AsyncGenerator<Entry> {
    for (const [index, file] of files.entries()) {
      const found = await examine(file);
      if (typeof found === 'number') yield entryOf(file, names[index] ?? file.filename, found);
      else missing.push({ filename: file.filename, reason: found });
    }
  }

  /**
   * A file of the archive lists pictures that cannot be opened.
   * @returns the exact `length`, undefined if lazy; `bytes` throw on a damaged one
   */
  return async function archiveOf(
    files: readonly ArchiveFile[],
    { leftOut = [], folder, isLazy = false }: ArchiveOptions = {},
  ): Promise<{ length: number | undefined; bytes: AsyncGenerator<Uint8Array> }> {
    const path = (name: string) => (folder === undefined ? name : `${folder}/${name}`);
    const names = archiveNames([noteName, ...files.map(({ filename }) => filename)]).map(path);
    const missing = [...leftOut];
    const notes = (): Note[] => {
      const input = noteOf(missing);
      return input.length > 0 ? [{ name: path(noteName), input, size: input.length }] : [];
    };
    const found = entriesOf(files, names.slice(1), missing);
    if (isLazy) return { length: undefined, bytes: piecesOf(found, { last: notes }) };
    const entries: Entry[] = [];
    for await (const entry of found) entries.push(entry);
    const first = notes();
    const length = Number(predictLength([...entries.map(({ name, size }) => ({ name, size })), ...first]));
    return { length, bytes: piecesOf(entries, { first }) };
  };
}
