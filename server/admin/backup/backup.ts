/** A snapshot of the database and of the bytes its rows name, appended to a backup file. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type postgres from 'postgres';
import type { Progress } from '../../lib/progress.ts';
import type { RetryPolicy } from '../../storage/retry-policy.ts';
import type { Storage } from '../../storage/storage.ts';
import { openBackupFile } from './archive/file.ts';
import { BackupError } from './backup-error.ts';
import type { Issue } from './image-files.ts';
import type { Manifest } from './manifest.ts';
import { inSnapshot, installationOf, lockFile } from './queries.ts';
import { writeSnapshot } from './snapshot.ts';

export type BackupParts = {
  /** At least two connections, one of which the backup holds to its end. */
  sql: postgres.Sql;
  storage: Pick<Storage, 'read' | 'stat' | 'sealing' | 'isHealthy'>;
  /** Of the program. */
  version: string;
};

export type BackupOptions = RetryPolicy & {
  file: string;
  /** A new file with this snapshot alone, in the place of the old one. */
  full?: boolean;
  progress?: Progress;
  /** Told each thing that is wrong, as it is found. */
  report?: (issue: Issue) => void;
  /** Told what is wrong with the backup file itself. */
  complain?: (sentence: string) => void;
};

export type BackupResult = {
  file: string;
  manifest: Manifest;
  /** Objects and bytes that the file did not hold yet; the bytes with all that surrounds them. */
  added: { objects: number; bytes: number };
  issues: number;
  complaints: number;
  /** Images deleted while the backup ran, and left out. */
  deleted: number;
};

/** @throws BackupError, one line; the file is then as it was before */
export async function backUp(parts: BackupParts, options: BackupOptions): Promise<BackupResult> {
  const path = join(await realpath(dirname(options.file)).catch(() => dirname(options.file)), basename(options.file));
  return inSnapshot(parts.sql, async (tx) => {
    await lockFile(tx, path);
    const installation = await installationOf(tx);
    await checkMarker(parts.storage, installation);
    const keyring = parts.storage.sealing?.keyring;
    const file = await openBackupFile(path, { installation, full: options.full ?? false, keyring });
    try {
      for (const sentence of file.complaints) options.complain?.(sentence);
      const { manifest, issues, deleted } = await writeSnapshot({ ...parts, tx, file, installation }, options);
      await file.finish();
      const added = { objects: file.writer.added, bytes: file.writer.written };
      return { file: path, manifest, added, issues, complaints: file.complaints.length, deleted };
    } catch (error) {
      await file.abandon().catch(() => undefined);
      throw error;
    } finally {
      options.progress?.end();
    }
  });
}

/** A storage that is not mounted would be a backup in which everything is missing. */
async function checkMarker(storage: BackupParts['storage'], installation: string): Promise<void> {
  const stream = await storage.read('installation');
  const text = Buffer.concat((await stream?.toArray()) ?? []).toString();
  if (text.trim() === installation) return;
  throw new BackupError(
    'The storage does not belong to this database: is the right disk mounted at DATA_DIR/files, or the right bucket named?',
  );
}
