/** Sealed objects in a backup: as they stand, opened on the way to be compared with what their rows say. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Keyring } from '../storage/sealed/keyring.ts';
import { opened } from '../storage/sealed/open-sealed.ts';
import type { Sealing, StoredSealed } from '../storage/sealed/sealing.ts';
import type { Archive } from './archive-reader.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { BackupError } from './backup-error.ts';
import type { HashIndex } from './hash-index.ts';
import { FileLine, type Manifest, parseAs } from './manifest.ts';
import { partLines } from './part-lines.ts';

type Sealed = NonNullable<FileLine['sealed']>;

/** By what a sealed object is found again: its stream's header is drawn at random, and a re-wrap does not touch it. */
const tokenOf = (beginning: Buffer, sha256: string): string =>
  createHash('sha256').update(beginning.subarray(-40)).update(sha256).digest('hex');

/** Of the newest snapshot, where each sealed object stands that was found right. */
export async function indexSealed(archive: Archive, { files }: Manifest, index: HashIndex): Promise<void> {
  for (const part of files.parts) {
    for (const text of await partLines(archive, part)) {
      const { sealed, sha256, damaged } = parseAs(FileLine, text, 'A list of files in the backup');
      const offset = sealed && !damaged ? archive.objects.get(sealed.sha256) : undefined;
      if (sealed && offset) index.set(tokenOf(Buffer.from(sealed.beginning, 'base64'), sha256), offset);
    }
  }
}

type Parts = { writer: ArchiveWriter; sealing: Sealing };

/**
 * @param sha256 what its row says of the plaintext
 * @returns the line of the file as it is; it is not read where the backup holds it
 * @throws DamagedBytes where it does not open
 */
export async function backUpSealed(
  { writer, sealing }: Parts,
  { beginning, rest }: StoredSealed,
  key: string,
  sha256: string | undefined,
): Promise<FileLine> {
  const held = sha256 === undefined ? undefined : writer.heldSealed(tokenOf(beginning, sha256));
  const line = (plain: { size: number; sha256: string }, stored: { size: number; sha256: string }): FileLine => ({
    key,
    ...plain,
    sealed: { beginning: beginning.toString('base64'), ...stored },
  });
  if (held && sha256 !== undefined) return line({ size: sealing.plainSize(beginning, held.size), sha256 }, held);
  const hash = createHash('sha256');
  let size = 0;
  const taken: Buffer[] = [];
  const plain = opened(copied(beginning, rest, taken), key, sealing.keyring);
  const stored = await writer.putObject(
    (async function* () {
      for await (const chunk of plain) {
        hash.update(chunk);
        size += chunk.length;
        yield* taken.splice(0);
      }
      yield* taken.splice(0);
    })(),
  );
  return line({ size, sha256: hash.digest('hex') }, stored);
}

async function* copied(beginning: Buffer, rest: AsyncIterable<Buffer>, into: Buffer[]): AsyncGenerator<Buffer> {
  yield beginning;
  for await (const chunk of rest) {
    into.push(chunk);
    yield chunk;
  }
}

/** The plaintext of a file in a backup. Fails with BackupError where it does not open. */
export function openLine(archive: Archive, { key, sha256, sealed }: FileLine, keyring: Keyring | undefined): Readable {
  if (!sealed) return archive.openObject(sha256).stream;
  if (!keyring) throw new BackupError(`The file ${key} in the backup is sealed, and no ENCRYPTION_KEY is given.`);
  const { stream } = archive.openObject(sealed.sha256);
  return Readable.from(opening(stored(sealed, stream), sealed.name ?? key, keyring), { objectMode: false });
}

async function* stored({ beginning }: Sealed, rest: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(beginning, 'base64');
  yield* rest;
}

async function* opening(bytes: AsyncIterable<Buffer>, name: string, keyring: Keyring): AsyncGenerator<Buffer> {
  try {
    yield* opened(bytes, name, keyring);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'EBADMSG' || code === 'ENOKEY' ? new BackupError(`The backup is damaged: ${message}.`) : error;
  }
}

/** @throws BackupError, one line, where a key is missing that something in the snapshot may be sealed by */
export async function checkKeys(archive: Archive, { tables }: Manifest, keyring: Keyring | undefined): Promise<void> {
  const missing: string[] = [];
  for (const part of tables.find(({ name }) => name === 'installation')?.parts ?? []) {
    for (const line of await partLines(archive, part)) {
      const { sealed_by: ids = [] }: { sealed_by?: string[] } = JSON.parse(line);
      missing.push(...ids.filter((id) => !keyring?.find(id)));
    }
  }
  if (missing.length === 0) return;
  throw new BackupError(
    `What the backup holds may be sealed by the key ${missing.join(' and ')}, which is not given: set it as ENCRYPTION_KEY, or as ` +
      'ENCRYPTION_KEY_PREVIOUS. Nothing was changed.',
  );
}
