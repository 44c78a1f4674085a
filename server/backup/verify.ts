/** Verifies a backup without a target: every object's hash, and that each snapshot has all objects it names. */
import { type Progress, silent } from '../lib/progress.ts';
import { sha256OfStream } from '../lib/sha256.ts';
import type { Keyring } from '../storage/sealed/keyring.ts';
import { type Archive, openArchive } from './archive/reader.ts';
import { BackupError } from './backup-error.ts';
import { checkSnapshot } from './consistency-check.ts';
import { FileLine, type Part, parseAs } from './manifest.ts';
import { partLines } from './part-lines.ts';
import { checkRows } from './rows.ts';

type Options = {
  file: string;
  /** If missing, only the hashes of sealed snapshots are verified, not what they name. */
  keyring?: Keyring | undefined;
  progress?: Progress;
  report?: (sentence: string) => void;
  signal?: AbortSignal | undefined;
};

type VerifyResult = {
  snapshots: number;
  objects: number;
  bytes: number;
  problems: number;
  /** Sealed snapshots without a given key: their contents are not checked. */
  unchecked: number;
};

/** Reads each object once, in file order, no matter how many snapshots name it. */
export async function verifyBackup({
  file,
  keyring,
  progress = silent,
  report,
  signal,
}: Options): Promise<VerifyResult> {
  const archive = await openArchive(file, keyring);
  const { length: snapshots } = archive.snapshots;
  const result: VerifyResult = { snapshots, objects: 0, bytes: 0, problems: 0, unchecked: 0 };
  const complain = (sentence: string) => {
    result.problems += 1;
    report?.(sentence);
  };
  try {
    if (archive.snapshots.length === 0) complain(`${file} holds no whole snapshot.`);
    for (const { at, end } of archive.gaps) complain(`The file is damaged from byte ${at} to ${end}.`);
    progress.begin('Verifying', archive.end);
    for (const { sha256, size } of archive.eachObject()) {
      signal?.throwIfAborted();
      if ((await sha256OfStream(archive.openObject(sha256))) !== sha256)
        complain(`The object ${sha256} has other bytes.`);
      progress.advance(size);
      result.objects += 1;
      result.bytes += size;
    }
    if (archive.sealed && !keyring) result.unchecked = snapshots;
    else await checkReferences(archive, complain);
    return result;
  } finally {
    progress.end();
    await archive.close();
  }
}

async function checkReferences(archive: Archive, complain: (sentence: string) => void): Promise<void> {
  const seen = new Set<string>();
  for (const snapshot of archive.snapshots) {
    try {
      const manifest = await archive.readManifest(snapshot);
      const { tables, files } = manifest;
      const fresh = (parts: Part[]) => parts.filter(({ sha256 }) => !seen.has(sha256) && seen.add(sha256));
      for (const { name, parts } of tables) {
        for (const part of fresh(parts)) checkRows(name, await partLines(archive, part));
      }
      for (const part of fresh(files.parts)) {
        for (const text of await partLines(archive, part)) checkFile(archive, snapshot.time, text, complain);
      }
      await checkSnapshot(archive, manifest, seen);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      complain(`Snapshot ${snapshot.time}: ${error.message}`);
    }
  }
}

function checkFile(archive: Archive, time: string, text: string, complain: (sentence: string) => void): void {
  const { key, missing, sealed, ...plain } = parseAs(FileLine, text, 'A list of files');
  const { sha256, size } = sealed ?? plain;
  if (missing || archive.sizeOf(sha256) === size) return;
  complain(`Snapshot ${time}: the object ${sha256}, of ${key}, is not there.`);
}
