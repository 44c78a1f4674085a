/** Streams several originals as a ZIP, with one piece in memory at a time. */
import { makeZip, predictLength } from 'client-zip';
import { LRUCache } from 'lru-cache';
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { ByteReader } from '../../storage/byte-source.ts';
import type { Originals } from '../originals.ts';
import { archiveNames } from './names.ts';

const piece = 2 ** 16;

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

/** The archive's bytes. Reads one original at a time, and closes it if the client disconnects. */
async function* piecesOf(
  entries: readonly Entry[],
  notes: readonly { name: string; input: Buffer; size: number }[],
): AsyncGenerator<Uint8Array> {
  let current: AsyncGenerator<Uint8Array> | undefined;
  async function* files() {
    yield* notes;
    for (const entry of entries) {
      current = bytesOf(entry);
      yield { ...entry, input: current };
    }
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

export function createArchiver(originals: Originals) {
  /** Unreadable images, with the time until which they are omitted (ms since 1970). */
  const unreadable = new LRUCache<string, number>({ max: 1_000 });

  async function whyNot(row: ImageRow): Promise<string | undefined> {
    if ((unreadable.get(row.id) ?? 0) > Date.now())
      return 'Its bytes cannot be read on the server. Tell its administrator.';
    try {
      const reader = await originals.open(row);
      await reader?.close();
      return reader ? undefined : 'Its bytes are missing on the server. Tell its administrator.';
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'DAMAGED_ORIGINAL') return error.message;
      throw error;
    }
  }

  function entryOf(row: ImageRow, name: string): Entry {
    return {
      name,
      lastModified: row.uploadedAt,
      size: row.size,
      async open() {
        const reader = await originals.open(row);
        if (!reader) throw new Error('an original was deleted while an archive was sent');
        return reader;
      },
      onUnreadable: () => void unreadable.set(row.id, Date.now() + forAWhile),
    };
  }

  /** A file of the archive lists originals that cannot be opened. @returns the exact `length`; `bytes` throw on a damaged one */
  return async function archiveOf(
    rows: readonly ImageRow[],
    leftOut: readonly LeftOut[] = [],
  ): Promise<{ length: number; bytes: AsyncGenerator<Uint8Array> }> {
    const names = archiveNames([noteName, ...rows.map(({ filename }) => filename)]);
    const entries: Entry[] = [];
    const missing = [...leftOut];
    for (const [index, row] of rows.entries()) {
      const reason = await whyNot(row);
      if (reason === undefined) entries.push(entryOf(row, names[index + 1] ?? row.filename));
      else missing.push({ filename: row.filename, reason });
    }
    const note = noteOf(missing);
    const notes = note.length > 0 ? [{ name: noteName, input: note, size: note.length }] : [];
    const length = Number(predictLength([...entries.map(({ name, size }) => ({ name, size })), ...notes]));
    return { length, bytes: piecesOf(entries, notes) };
  };
}
