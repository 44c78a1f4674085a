/** Several originals as one ZIP, made while it is sent: nothing of it is kept, and no more than a piece of it is in memory. */
import { makeZip, predictLength } from 'client-zip';
import { LRUCache } from 'lru-cache';
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { ByteReader } from '../../storage/byte-source.ts';
import type { Originals } from '../originals.ts';
import { archiveNames } from './names.ts';

const piece = 2 ** 16;

/** Why an image is not in the archive. */
export type LeftOut = { filename: string; reason: string };

/** ms: long enough that an archive which broke off at a file that cannot be read is made without it when it is asked for again. */
const forAWhile = 60_000;
/** Images whose bytes could not be read, and until when that is taken for granted (ms since 1970). */
const unreadable = new LRUCache<string, number>({ max: 1_000 });

type Entry = { id: string; name: string; lastModified: Date; size: number; open: () => Promise<ByteReader> };

/** Reads one original at a time. `close` ends the one under way, where nobody takes the rest. */
function createReading() {
  let current: ByteReader | undefined;
  const close = async () => {
    const reader = current;
    current = undefined;
    await reader?.close();
  };
  async function* bytesOf({ id, size, open }: Entry): AsyncGenerator<Uint8Array> {
    current = await open();
    for (let at = 0; at < size; at += piece) {
      // What was handed on may wait to be sent: each piece has memory of its own.
      const bytes = Buffer.allocUnsafeSlow(Math.min(piece, size - at));
      await current?.read(bytes, at).catch((error) => {
        unreadable.set(id, Date.now() + forAWhile);
        throw error;
      });
      yield bytes;
    }
    await close();
  }
  return { bytesOf, close };
}

async function* piecesOf(zip: ReadableStream<Uint8Array>, close: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const reader = zip.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await close();
  }
}

async function whyNot(originals: Originals, row: ImageRow): Promise<string | undefined> {
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

const noteName = 'not-included.txt';

const noteOf = (leftOut: readonly LeftOut[]): Buffer =>
  Buffer.from(leftOut.map(({ filename, reason }) => `${filename}: ${reason}\r\n`).join(''));

/**
 * What cannot be sent is found beforehand, as far as that takes no reading, and named in a file of the archive.
 * @param leftOut what is known to be missing already
 * @returns `length` in bytes, exactly; `bytes` throw where an original turns out to be damaged on the way
 */
export async function archiveOf(
  originals: Originals,
  rows: readonly ImageRow[],
  leftOut: readonly LeftOut[] = [],
): Promise<{ length: number; bytes: AsyncGenerator<Uint8Array> }> {
  const names = archiveNames([noteName, ...rows.map(({ filename }) => filename)]);
  const entries: Entry[] = [];
  const missing = [...leftOut];
  for (const [index, row] of rows.entries()) {
    const reason = await whyNot(originals, row);
    const open = async () => {
      const reader = await originals.open(row);
      if (!reader) throw new Error('an original went while an archive was sent');
      return reader;
    };
    const name = names[index + 1] ?? row.filename;
    if (reason === undefined) entries.push({ id: row.id, name, lastModified: row.uploadedAt, size: row.size, open });
    else missing.push({ filename: row.filename, reason });
  }
  const note = noteOf(missing);
  const notes = note.length > 0 ? [{ name: noteName, input: note, size: note.length }] : [];
  const reading = createReading();
  const files = async function* () {
    yield* notes;
    for (const entry of entries) yield { ...entry, input: reading.bytesOf(entry) };
  };
  const length = Number(predictLength([...entries.map(({ name, size }) => ({ name, size })), ...notes]));
  return { length, bytes: piecesOf(makeZip(files()), reading.close) };
}
