/** Backs up sealed objects as stored, opening them on the way to compare them with their rows. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { asDamage } from '../storage/sealed/damage.ts';
import { createHeader, HEADER_SIZE, openHeader } from '../storage/sealed/header.ts';
import type { Keyring, MasterKey } from '../storage/sealed/keyring.ts';
import { opened, SEGMENT_SIZE, streamKeyOf } from '../storage/sealed/open-sealed.ts';
import { createSealing } from '../storage/sealed/stream.ts';
import type { Seals, StoredSealed } from '../storage/seals.ts';
import { createHashIndex } from './archive/hash-index.ts';
import type { Archive } from './archive/reader.ts';
import type { ArchiveWriter, Stored } from './archive/writer.ts';
import { BackupError } from './backup-error.ts';
import { FileLine, type Manifest, type Part, parseAs } from './manifest.ts';
import { partLines } from './part-lines.ts';
import { underPresentKey } from './sealed-rows.ts';

type Sealed = NonNullable<FileLine['sealed']>;

/** Looks up a sealed file's line. @returns undefined if not listed, or listed as damaged */
export type SealedLines = (key: string, sha256: string) => Promise<FileLine | undefined>;

const nameOf = (key: string, sha256: string) => createHash('sha256').update(sha256).update(key).digest('hex');

/** Call in list order: each part is then read only once more. */
export async function sealedLines(archive: Archive, { files }: Manifest): Promise<SealedLines> {
  const inPart = createHashIndex();
  const linesOf = async (part: Part) =>
    (await partLines(archive, part))
      .map((text) => parseAs(FileLine, text, 'A list of files in the backup'))
      .filter(({ sealed, damaged }) => sealed && !damaged);
  for (const [number, part] of files.parts.entries()) {
    for (const { key, sha256 } of await linesOf(part)) inPart.set(nameOf(key, sha256), number + 1);
  }
  let latest: { number: number; lines: Map<string, FileLine> } | undefined;
  return async (key, sha256) => {
    const number = inPart.get(nameOf(key, sha256));
    const part = number === undefined ? undefined : files.parts[number - 1];
    if (number === undefined || !part) return undefined;
    if (latest?.number !== number) {
      latest = { number, lines: new Map((await linesOf(part)).map((line) => [line.key, line])) };
    }
    const line = latest.lines.get(key);
    return line?.sha256 === sha256 ? line : undefined;
  };
}

/** Compares stream headers, which are random and which a re-wrap leaves unchanged. */
const isSameStream = (beginning: Buffer, { sealed }: FileLine): boolean =>
  sealed !== undefined &&
  beginning.subarray(HEADER_SIZE).equals(Buffer.from(sealed.beginning, 'base64').subarray(HEADER_SIZE));

/** Re-wraps the earlier line of a lost or damaged file with the present key; undefined if the given keys do not open it. */
export function forPresentKey(line: FileLine, keyring: Keyring): FileLine | undefined {
  if (!line.sealed) return line;
  const sealed = underPresentKey(line.sealed, line.sealed.name ?? line.key, keyring);
  return sealed && { ...line, sealed };
}

type Parts = { writer: ArchiveWriter; sealing: Seals };

/**
 * @param before its line in an earlier snapshot, whose object the backup holds; then only the header is opened
 * @throws DamagedBytes if it does not open
 */
export async function backUpSealed(
  { writer, sealing }: Parts,
  { beginning, rest }: StoredSealed,
  key: string,
  before: FileLine | undefined,
): Promise<FileLine> {
  const line = (plain: Stored, { sha256, size }: Stored): FileLine => ({
    key,
    ...plain,
    sealed: { beginning: beginning.toString('base64'), sha256, size },
  });
  if (before?.sealed && isSameStream(beginning, before)) {
    try {
      openHeader(beginning, key, sealing.keyring);
    } catch (error) {
      throw asDamage(key, error);
    }
    return line({ size: before.size, sha256: before.sha256 }, before.sealed);
  }
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

export async function sealIntoBackup(
  writer: ArchiveWriter,
  source: AsyncIterable<Buffer>,
  key: string,
  present: MasterKey,
): Promise<FileLine> {
  const { header: sealedHeader, dataKey } = createHeader(key, present, SEGMENT_SIZE);
  const sealing = createSealing(streamKeyOf(key, dataKey, SEGMENT_SIZE));
  const hash = createHash('sha256');
  let size = 0;
  let header: Buffer | undefined;
  function* afterHeader(parts: Buffer[]): Generator<Buffer> {
    const [first, ...others] = parts;
    if (header) yield* parts;
    else if (first) {
      header = first;
      yield* others;
    }
  }
  const stored = await writer.putObject(
    (async function* () {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.length;
        yield* afterHeader(sealing.add(chunk));
      }
      yield* afterHeader(sealing.end());
    })(),
  );
  const beginning = Buffer.concat([sealedHeader, header ?? Buffer.alloc(0)]).toString('base64');
  return { key, size, sha256: hash.digest('hex'), sealed: { beginning, ...stored } };
}

async function* copied(beginning: Buffer, rest: AsyncIterable<Buffer>, into: Buffer[]): AsyncGenerator<Buffer> {
  yield beginning;
  for await (const chunk of rest) {
    into.push(chunk);
    yield chunk;
  }
}

/** The plaintext of a file in a backup. The stream fails with BackupError if it does not open. */
export function openLine(archive: Archive, { key, sha256, sealed }: FileLine, keyring: Keyring | undefined): Readable {
  if (!sealed) return archive.openObject(sha256);
  if (!keyring) throw new BackupError(`The file ${key} in the backup is sealed, and no ENCRYPTION_KEY is given.`);
  const stream = archive.openObject(sealed.sha256);
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
    if (code === 'ENOKEY') {
      throw new BackupError(`In the backup ${message}. Set the key as ENCRYPTION_KEY_PREVIOUS beside the present one.`);
    }
    throw code === 'EBADMSG' ? new BackupError(`The backup is damaged: ${message}.`) : error;
  }
}

/** @throws BackupError, one line, if a key is missing that may seal something in the snapshot */
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
