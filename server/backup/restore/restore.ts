/** Restores a snapshot into an empty database and an empty storage: files first, then all rows in one transaction. */
import type postgres from 'postgres';
import { type Progress, silent } from '../../lib/progress.ts';
import type { Backend } from '../../storage/backend.ts';
import type { Keyring } from '../../storage/sealed/keyring.ts';
import { sealWith } from '../../storage/sealed/objects.ts';
import { type Archive, openArchive } from '../archive/reader.ts';
import type { Snapshot } from '../archive/survey.ts';
import { BackupError } from '../backup-error.ts';
import { checkSnapshot } from '../consistency-check.ts';
import type { FileLine, Manifest } from '../manifest.ts';
import { checkKeys } from '../sealed-files.ts';
import { contentIn, restoreFiles } from './files.ts';
import { checkLevel, restoreRows } from './rows.ts';
import { checkDatabase, checkStorage } from './target.ts';

export type RestoreParts = {
  sql: postgres.Sql;
  target: Backend;
  /** Local folder for staging files; the backend's own folder if it is a disk. */
  root: string;
  /** This process's number in the process registry. */
  process: bigint;
  isAlive: (process: bigint) => Promise<boolean>;
  /** Opens sealed files; if it has a present key, all files are sealed with it. */
  keyring?: Keyring | undefined;
};

type RestoreOptions = {
  file: string;
  /** Beginning of a snapshot's time; default: the newest. */
  snapshot?: string | undefined;
  /** Receives each file not whole in the backup; images without an original get no row. If missing, the first one ends the restore. */
  skipDamaged?: ((line: FileLine) => void) | undefined;
  /** Called before the first file is written, with a hint on what to do if the restore does not finish. */
  begun?: (hint: string) => void;
  progress?: Progress;
  signal?: AbortSignal | undefined;
};

type RestoreResult = {
  manifest: Manifest;
  /** Whether files of an earlier attempt were reused. */
  resumed: boolean;
  /** Images left out because the backup lacks their whole original. */
  without: number;
};

/** @throws BackupError, one line; then no rows were written, and the restore can be repeated */
export async function restore(parts: RestoreParts, options: RestoreOptions): Promise<RestoreResult> {
  const { sql, target, root, process, keyring } = parts;
  const { progress = silent, signal, skipDamaged, begun } = options;
  const archive = await openArchive(options.file, keyring);
  try {
    const manifest = await archive.readManifest(chooseSnapshot(archive, options.snapshot));
    checkLevel(manifest);
    await checkSnapshot(archive, manifest);
    await checkKeys(archive, manifest, keyring);
    await checkDatabase(sql, process);
    const { installation } = manifest;
    const resumed = await checkStorage(target, installation);
    begun?.(unfinishedHint(target));
    await target.restoring.begin(installation);
    return await finish(manifest, resumed);
  } finally {
    progress.end();
    await archive.close();
  }

  async function finish(manifest: Manifest, resumed: boolean): Promise<RestoreResult> {
    const { installation } = manifest;
    const storage = await target.open({ installation, process, wrap: keyring && sealWith(keyring) }, root);
    const without = new Set<string>();
    const skip =
      skipDamaged &&
      ((line: FileLine) => {
        const content = contentIn(line.key);
        if (content) without.add(content);
        skipDamaged(line);
      });
    progress.begin('Restoring', manifest.files.bytes);
    await restoreFiles({ archive, storage, keyring, progress, signal }, manifest, { resumed, skip });
    const leftOut = await restoreRows(sql, {
      archive,
      manifest,
      process,
      sealedBy: keyring?.present ? [keyring.present.id] : [],
      without,
      target: resumed || without.size > 0 ? target : undefined,
    });
    // Removes what a killed restore left in staging.
    await storage.sweep(parts.isAlive);
    await target.restoring.end();
    await storage.close();
    return { manifest, resumed, without: leftOut };
  }
}

const unfinishedHint = ({ marker }: Backend): string =>
  `What was restored so far stays in ${marker.texts.location}, where no server starts: run the same again (--skip-damaged leaves out what ` +
  'the backup has not whole), or remove it with "restore --discard".';

/** @throws BackupError if none or several start with `wanted` */
function chooseSnapshot({ path, snapshots }: Archive, wanted: string | undefined): Snapshot {
  const found = wanted === undefined ? snapshots.slice(-1) : snapshots.filter(({ time }) => time.startsWith(wanted));
  const [only, another] = found;
  if (only && !another) return only;
  if (wanted === undefined) throw new BackupError(`${path} holds no whole snapshot.`);
  throw new BackupError(
    `${path} holds ${another ? 'several snapshots' : 'no snapshot'} of ${wanted}; --list shows them.`,
  );
}
