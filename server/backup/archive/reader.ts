/** Reads a backup file: its whole snapshots and the bytes of each object. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { sha256Of } from '../../lib/sha256.ts';
import type { Keyring } from '../../storage/sealed/keyring.ts';
import { BackupError } from '../backup-error.ts';
import { BackupHeader, FORMATS, HEADER_NAME, hashInName, Manifest, parseAs } from '../manifest.ts';
import { openManifest } from '../sealed-rows.ts';
import { objectSize, readBody, readHeader, type Snapshot, surveyArchive } from './survey.ts';
import { BLOCK, CLOSING } from './tar-header.ts';
import { walkArchive } from './walk.ts';

export type Archive = Awaited<ReturnType<typeof readArchive>>;

/** Bytes. Larger than any part of a table: backups cut parts at 4 MiB or after one row. */
const LARGEST_PART = 2 ** 28;
const READ_SIZE = 2 ** 18;

/** @throws BackupError, one line, if the file does not exist or is no backup */
export async function openArchive(path: string, keyring?: Keyring): Promise<Archive> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`The backup ${path} cannot be read (${error.code}).`);
  });
  try {
    return await readArchive(path, file, keyring);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readArchive(path: string, file: FileHandle, keyring: Keyring | undefined) {
  const { size: fileSize } = await file.stat();
  const header = await readBackupHeader(path, file);
  const mark = Buffer.from(header.mark, 'hex');
  const sealed = header.format === FORMATS.sealed;
  const survey = await surveyArchive(file, fileSize, { mark, sealed });

  /** Objects after the last snapshot come from an interrupted backup and do not count. */
  function find(sha256: string): { body: number; size: number } | undefined {
    const body = survey.objects.get(sha256);
    if (body === undefined || body >= survey.end) return undefined;
    const size = objectSize(file, sha256, body);
    return size === undefined ? undefined : { body, size };
  }

  function mustFind(sha256: string): { body: number; size: number } {
    const found = find(sha256);
    if (found) return found;
    throw new BackupError(`The backup is damaged: it lacks the object ${sha256}.`);
  }

  return {
    ...survey,
    path,
    header,
    sealed,
    keyring,
    /** Bytes that an interrupted backup left after the last snapshot. */
    left: Math.max(fileSize - survey.end - CLOSING, 0),
    sizeOf: (sha256: string) => find(sha256)?.size,
    /** In file order, up to the end of the last snapshot. */
    eachObject: () => objectsOf(file, survey.end, mark),

    /** @throws KeyMissing if sealed by a key that is not given; BackupError if damaged */
    async readManifest({ time, manifest }: Snapshot): Promise<Manifest> {
      const what = `The manifest of the snapshot ${time}`;
      const stored = await readBody(file, manifest);
      const text = sealed ? openManifest(stored, header, time, keyring) : stored;
      const parsed = parseAs(Manifest, text.toString(), what);
      if (parsed.installation === header.installation) return parsed;
      throw new BackupError(`${what} belongs to another installation.`);
    },

    /** @throws BackupError if the file does not hold it whole, or it is larger than any part */
    async readObject(sha256: string): Promise<Buffer> {
      const entry = mustFind(sha256);
      const bytes = entry.size <= LARGEST_PART ? await readBody(file, entry) : Buffer.alloc(0);
      if (sha256Of(bytes) === sha256) return bytes;
      throw new BackupError(`The backup is damaged: its object ${sha256} has other bytes.`);
    },

    /** Not verified: callers must hash the bytes. @throws BackupError if the file does not hold it */
    openObject(sha256: string): Readable {
      const { body, size } = mustFind(sha256);
      return Readable.from(chunksOf(file, body, size), { objectMode: false });
    },

    close: () => file.close(),
  };
}

/** The header of a file, which may have no snapshot yet; undefined if it does not start like a backup. */
export async function headerOf(path: string): Promise<BackupHeader | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    return file && (await readBackupHeader(path, file));
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

/** The first entry distinguishes our backups from other files. */
async function readBackupHeader(path: string, file: FileHandle): Promise<BackupHeader> {
  const entry = readHeader(file, 0);
  if (entry?.name !== HEADER_NAME || entry.size > BLOCK)
    throw new BackupError(`${path} is not a backup of this program.`);
  const text = (await readBody(file, { body: BLOCK, size: entry.size })).toString();
  const header = parseAs(BackupHeader, text, `The beginning of ${path}`);
  if (header.format > FORMATS.sealed) {
    throw new BackupError(`${path} was written by a newer version of this program; restore it with that version.`);
  }
  return header;
}

async function* chunksOf(file: FileHandle, from: number, size: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(READ_SIZE, size - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, from + done);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    done += bytesRead;
  }
}

function* objectsOf(file: FileHandle, end: number, mark: Buffer): Generator<{ sha256: string; size: number }> {
  for (const entry of walkArchive(file.fd, end, mark)) {
    const sha256 = entry.kind === 'entry' ? hashInName(entry.name) : undefined;
    if (entry.kind === 'entry' && sha256) yield { sha256, size: entry.size };
  }
}
