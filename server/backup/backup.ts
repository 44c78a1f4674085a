/** Appends a snapshot of the database, and of the files its rows name, to a backup file. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type postgres from 'postgres';
import type { Progress } from '../lib/progress.ts';
import type { RetryPolicy } from '../storage/retry-policy.ts';
import type { Storage } from '../storage/storage.ts';
import { openBackupFile } from './archive/file.ts';
import { BackupError } from './backup-error.ts';
import type { Issue } from './image-files.ts';
import type { Manifest } from './manifest.ts';
import { inSnapshot, installationOf, lockFile } from './queries.ts';
import { writeSnapshot } from './snapshot.ts';

type BackupParts = {
  /** At least two connections: the backup holds one until it ends. */
  sql: postgres.Sql;
  storage: Pick<Storage, 'read' | 'stat' | 'sealing' | 'isHealthy'>;
  version: string;
};

export type BackupOptions = RetryPolicy & {
  file: string;
  /** Replaces the file by a new one with this snapshot alone. */
  full?: boolean;
  progress?: Progress;
  report?: (issue: Issue) => void;
  /** Receives problems of the backup file itself. */
  complain?: (sentence: string) => void;
};

export type BackupResult = {
  file: string;
  manifest: Manifest;
  /** Objects and bytes new in the file; the bytes include headers and manifests. */
  added: { objects: number; bytes: number };
  issues: number;
  complaints: number;
  /** Images left out because they were deleted during the backup. */
  deleted: number;
};

/** @throws BackupError, one line; the file is then unchanged */
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
      const added = file.writer.added();
      return { file: path, manifest, added, issues, complaints: file.complaints.length, deleted };
    } catch (error) {
      await file.abandon().catch(() => undefined);
      throw error;
    } finally {
      options.progress?.end();
    }
  });
}

/** Without this check, a backup of an unmounted storage would report every file as missing. */
async function checkMarker(storage: BackupParts['storage'], installation: string): Promise<void> {
  const stream = await storage.read('installation');
  const text = Buffer.concat((await stream?.toArray()) ?? []).toString();
  if (text.trim() === installation) return;
  throw new BackupError(
    'The storage does not belong to this database: is the right disk mounted at DATA_DIR/files, or the right bucket named?',
  );
}
