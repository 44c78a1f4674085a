/** The backup file on the disk: continued where it is this installation's, else made aside and renamed when whole. */
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../storage/durable.ts';
import { type Archive, openArchive } from './archive-reader.ts';
import { type ArchiveWriter, createArchiveWriter } from './archive-writer.ts';
import { BackupError } from './backup-error.ts';
import { createHashIndex, type HashIndex } from './hash-index.ts';
import { FORMAT, HEAD_NAME, type Head } from './manifest.ts';

export type BackupFile = {
  path: string;
  writer: ArchiveWriter;
  /** Time of the newest snapshot that it held before. */
  newest: string | undefined;
  /** Bytes that an interrupted backup had left behind it, and that are overwritten. */
  left: number;
  /** What is wrong with it, in sentences. */
  complaints: string[];
  /** After the seal: under its name, for good. */
  finish(): Promise<void>;
  /** As it was before. */
  abandon(): Promise<void>;
};

type Options = { installation: string; full: boolean };

/** @throws BackupError, one line, where something else stands at the path, or it cannot be written */
export async function openBackupFile(path: string, { installation, full }: Options): Promise<BackupFile> {
  const place = await realpath(path).catch(() => path);
  const existing = await stat(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unwritable(place, error);
  });
  if (existing && !existing.isFile()) throw new BackupError(`${place} is not a file; name a file for the backup.`);
  if (!existing || existing.size === 0) return create(place, installation);
  const archive = await openArchive(place);
  try {
    if (archive.head.installation !== installation) {
      throw new BackupError(`${place} is a backup of another installation; name another file.`);
    }
    return full ? await create(place, installation) : await append(archive);
  } finally {
    await archive.close();
  }
}

async function create(place: string, installation: string): Promise<BackupFile> {
  const draft = `${place}.part`;
  // Of a backup that was killed: who is here holds the lock on this path.
  await rm(draft, { force: true }).catch(() => undefined);
  const file = await open(draft, 'wx+', 0o600).catch((error) => {
    throw unwritable(draft, error);
  });
  const writer = createArchiveWriter(file, 0, createHashIndex());
  const abandon = async () => {
    await file.close();
    await rm(draft, { force: true });
  };
  try {
    const head: Head = { format: FORMAT, installation, created: new Date().toISOString() };
    await writer.putEntry(HEAD_NAME, Buffer.from(`${JSON.stringify(head)}\n`));
  } catch (error) {
    await abandon();
    throw error;
  }
  const finish = async () => {
    await file.close();
    await rename(draft, place);
    await syncFolder(dirname(place));
  };
  return { path: place, writer, newest: undefined, left: 0, complaints: [], finish, abandon };
}

async function append({ path, snapshots, objects, gaps, left }: Archive): Promise<BackupFile> {
  const last = snapshots.at(-1);
  if (!last) throw new BackupError(`${path} holds no whole snapshot: it is damaged. Name another file.`);
  const file = await open(path, 'r+').catch((error) => {
    throw unwritable(path, error);
  });
  const writer = createArchiveWriter(file, last.end, trusted(objects, gaps[0]?.at ?? last.end));
  const complaints = gaps.map(
    ({ at, end }) => `${path} is damaged from byte ${at} to ${end}; begin a new file (--full).`,
  );
  const abandon = () => writer.undo().finally(() => file.close());
  return { path, writer, newest: last.time, left, complaints, finish: () => file.close(), abandon };
}

/** What stands behind a damaged place, or behind the last snapshot, is not relied on: it is stored again. */
function trusted(objects: HashIndex, until: number): HashIndex {
  const own = createHashIndex();
  return {
    get(sha256) {
      const offset = objects.get(sha256);
      return own.get(sha256) ?? (offset !== undefined && offset < until ? offset : undefined);
    },
    set: own.set,
  };
}

const unwritable = (path: string, { code }: NodeJS.ErrnoException): BackupError =>
  new BackupError(`The backup ${path} cannot be written (${code}).`);
