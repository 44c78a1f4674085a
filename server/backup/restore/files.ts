/** Restores a snapshot's files into the storage. Each SHA-256 is verified before the file is committed. */
import pLimit from 'p-limit';
import type { Progress } from '../../lib/progress.ts';
import { sha256OfStream } from '../../lib/sha256.ts';
import { isDamage } from '../../storage/sealed/damage.ts';
import type { Keyring } from '../../storage/sealed/keyring.ts';
import { type Storage, seals } from '../../storage/storage.ts';
import type { Archive } from '../archive/reader.ts';
import { BackupError } from '../backup-error.ts';
import { FileLine, type Manifest, parseAs } from '../manifest.ts';
import { partLines } from '../part-lines.ts';
import { openLine } from '../sealed-files.ts';

type Parts = {
  archive: Archive;
  storage: Storage;
  keyring: Keyring | undefined;
  progress: Progress;
  signal?: AbortSignal | undefined;
};
type Options = {
  /** Whether files of an earlier attempt may exist. */
  resumed: boolean;
  /** Receives each file that the backup does not hold whole, and leaves it out. If missing, the first one ends the restore. */
  skip?: ((line: FileLine) => void) | undefined;
};

/** Small files wait for the disk more than they write; parallel ones share the wait. */
const AT_ONCE = 4;

export async function restoreFiles(parts: Parts, manifest: Manifest, options: Options): Promise<void> {
  const { archive, progress, signal } = parts;
  const limit = pLimit(AT_ONCE);
  const shared = new Set<string>();
  /** A shared file is listed with each of its images, but restored once. */
  const isDue = ({ key, missing, shared: isShared }: FileLine): boolean => {
    if (missing || shared.has(key)) return false;
    if (isShared) shared.add(key);
    return true;
  };
  for (const part of manifest.files.parts) {
    const lines = (await partLines(archive, part)).map((text) =>
      parseAs(FileLine, text, 'A list of files in the backup'),
    );
    await limit.map(lines.filter(isDue), async (line) => {
      signal?.throwIfAborted();
      await restoreFile(parts, line, options);
      progress.advance(line.size);
    });
  }
}

async function restoreFile({ archive, storage, keyring }: Parts, line: FileLine, { resumed, skip }: Options) {
  if (resumed && (await isRestored(storage, line))) return;
  try {
    const staged = await storage.stage(openLine(archive, line, keyring));
    if (staged.sha256 === line.sha256) return await storage.commit(staged, line.key);
    await storage.discard(staged);
    throw new BackupError(`The backup is damaged: its object ${line.sha256}, of ${line.key}, has other bytes.`);
  } catch (error) {
    if (!(error instanceof BackupError) || !skip) throw error;
    skip(line);
  }
}

/** A file sealed by a key that is no longer given is written again. */
function asOther(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

/** Whether a killed restore left this exact file. */
async function isRestored(storage: Storage, { key, size, sha256 }: FileLine): Promise<boolean> {
  const { sealing } = storage;
  // An earlier attempt without a key left it plain; the rows will mark it sealed, so it must be written again.
  if (seals(storage) && (await sealing?.look(key).catch(asOther)) !== 'before') return false;
  const stream = (await storage.stat(key))?.size === size ? await storage.read(key) : undefined;
  return stream !== undefined && (await sha256OfStream(stream)) === sha256;
}

/** `originals/3f/<id>.jpg` -> the id of the content */
export const contentIn = (key: string): string | undefined => /^originals\/..\/([0-9a-f-]{36})\./.exec(key)?.[1];
