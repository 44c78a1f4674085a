/** The backup file on disk: appended to if it belongs to this installation, else written as a draft and renamed. */
import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ownerAdvice } from '../../lib/owner-advice.ts';
import { syncFolder } from '../../storage/durable.ts';
import type { Keyring } from '../../storage/sealed/keyring.ts';
import { BackupError, KeyMissing } from '../backup-error.ts';
import { type BackupHeader, FORMATS, HEADER_NAME, type Manifest } from '../manifest.ts';
import { type SealedLines, sealedLines } from '../sealed-files.ts';
import { createRowSeals } from '../sealed-rows.ts';
import { createEntryWriter } from './entry-writer.ts';
import { type Archive, headerOf, openArchive } from './reader.ts';
import type { Snapshot } from './survey.ts';
import { MARK_LENGTH } from './tar-header.ts';
import { type ArchiveWriter, createArchiveWriter } from './writer.ts';

export type BackupFile = {
  path: string;
  format: number;
  writer: ArchiveWriter;
  /** Sealed files listed in its newest snapshot. */
  sealedBefore: SealedLines;
  /** Time of the newest snapshot it held when opened. */
  newest: string | undefined;
  /** Bytes left by an interrupted backup; they are overwritten. */
  left: number;
  complaints: string[];
  /** Call after seal: gives the file its final name. */
  finish(): Promise<void>;
  /** Restores the file to its earlier state. */
  abandon(): Promise<void>;
};

type Options = {
  installation: string;
  full: boolean;
  /** If it has a present key, rows and file lists are sealed. */
  keyring?: Keyring | undefined;
};

/** @throws BackupError, one line, if the path is something else or cannot be written */
export async function openBackupFile(path: string, options: Options): Promise<BackupFile> {
  const { installation, full, keyring } = options;
  const target = await realpath(path).catch(() => path);
  const existing = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unwritable(target, error);
  });
  if (existing && !existing.isFile()) throw new BackupError(`${target} is not a file; name a file for the backup.`);
  if (!existing || existing.size === 0) return create(target, options);
  const archive = await openArchive(target, keyring);
  try {
    if (archive.header.installation !== installation) {
      throw new BackupError(`${target} is a backup of another installation; name another file.`);
    }
    if (!full) return await append(archive, keyring);
  } catch (error) {
    await archive.close();
    throw error;
  }
  await archive.close();
  return create(target, options);
}

async function create(target: string, { installation, keyring }: Options): Promise<BackupFile> {
  const draft = `${target}.part`;
  await clearDraft(draft, installation);
  const file = await open(draft, 'wx+', 0o600).catch((error) => {
    throw unwritable(draft, error);
  });
  const mark = randomBytes(MARK_LENGTH);
  const present = keyring?.present;
  const format = present ? FORMATS.sealed : FORMATS.plain;
  const header: BackupHeader = { format, installation, created: new Date().toISOString(), mark: mark.toString('hex') };
  const seals = keyring && present && createRowSeals(header, keyring, present);
  const entries = createEntryWriter(file, 0, mark);
  const writer = createArchiveWriter(file, entries, { bodyOf: () => undefined, seals });
  const abandon = async () => {
    await file.close();
    await rm(draft, { force: true });
  };
  try {
    await entries.put(HEADER_NAME, Buffer.from(`${JSON.stringify(header)}\n`));
  } catch (error) {
    await abandon();
    throw error;
  }
  const finish = async () => {
    await file.close();
    await rename(draft, target);
    await syncFolder(dirname(target));
  };
  const sealedBefore = async () => undefined;
  return { path: target, format, writer, sealedBefore, newest: undefined, left: 0, complaints: [], finish, abandon };
}

/** Removes the draft of a killed backup: the caller holds the lock on this path. Other files are not ours to remove. */
async function clearDraft(draft: string, installation: string): Promise<void> {
  const info = await stat(draft).catch(() => undefined);
  if (!info) return;
  const header = info.size === 0 ? undefined : await headerOf(draft);
  if (!info.isFile() || (info.size > 0 && header?.installation !== installation)) {
    throw new BackupError(`${draft} is in the way, and was not left by a backup of this installation: move it away.`);
  }
  await rm(draft).catch((error) => {
    throw unwritable(draft, error);
  });
}

/** Takes ownership of the archive: closing the file closes it. */
async function append(archive: Archive, keyring: Keyring | undefined): Promise<BackupFile> {
  const present = keyring?.present;
  if (archive.sealed !== (present !== undefined)) throw otherForm(archive);
  const { path, header, snapshots, objects, gaps, left } = archive;
  const last = snapshots.at(-1);
  if (!last) throw new BackupError(`${path} holds no whole snapshot: it is damaged. Name another file.`);
  // Objects after a damaged range, or after the last snapshot, are not relied on: they are stored again.
  const until = gaps[0]?.at ?? last.end;
  const bodyOf = (sha256: string) => {
    const body = objects.get(sha256);
    return body !== undefined && body < until ? body : undefined;
  };
  const before = await newestManifest(archive, last);
  const sealedBefore = await sealedLines(archive, before);
  const file = await open(path, 'r+').catch((error) => {
    throw unwritable(path, error);
  });
  const entries = createEntryWriter(file, last.end, Buffer.from(header.mark, 'hex'));
  const seals = keyring && present && createRowSeals(header, keyring, present, before);
  const writer = createArchiveWriter(file, entries, { bodyOf, seals });
  const complaints = gaps.map(
    ({ at, end }) => `${path} is damaged from byte ${at} to ${end}; begin a new file (--full).`,
  );
  const finish = () => file.close().finally(() => archive.close());
  const abandon = () => entries.undo().finally(finish);
  return { path, format: header.format, writer, sealedBefore, newest: last.time, left, complaints, finish, abandon };
}

async function newestManifest(archive: Archive, newest: Snapshot): Promise<Manifest> {
  try {
    return await archive.readManifest(newest);
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    throw new KeyMissing(`${error.message} Or begin the file again with --full, or name another file.`);
  }
}

/** Sealed snapshots after plain ones would hide which parts of the file are readable without a key. */
const otherForm = ({ path, sealed }: Archive): BackupError =>
  new BackupError(
    sealed
      ? `${path} is sealed, and no ENCRYPTION_KEY is given to continue it with: set it, name another file, or begin this one again with --full.`
      : `${path} was begun without a key, and its rows are in the clear: name another file, or begin this one again with --full.`,
  );

const advice: Record<string, string> = {
  ENOENT: ': its folder does not exist. Create the folder, or name another path',
  ENOTDIR: ': a part of the path is no folder. Name another path',
  EROFS: ': its disk is read-only. Name a path on another disk',
  EACCES: ': this user may not write there. Allow it, or name another path',
};

const unwritable = (path: string, { code = '' }: NodeJS.ErrnoException): BackupError =>
  new BackupError(`The backup ${path} cannot be written (${code})${ownerAdvice(path, code) || (advice[code] ?? '')}.`);
