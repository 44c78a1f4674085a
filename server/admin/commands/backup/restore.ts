import { unreadableApps } from '../../../auth/second-factor/unreadable-apps.ts';
import { type Archive, openArchive } from '../../../backup/archive/reader.ts';
import type { Snapshot } from '../../../backup/archive/survey.ts';
import { KeyMissing } from '../../../backup/backup-error.ts';
import { discardRestore, unfinishedFiles } from '../../../backup/restore/discard.ts';
import { restoreOne } from '../../../backup/restore/one.ts';
import { type RestoreParts, restore } from '../../../backup/restore/restore.ts';
import { verifyBackup } from '../../../backup/verify.ts';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../database/connect.ts';
import { filesOf } from '../../../storage/backend.ts';
import { ensureDataDir } from '../../../storage/data-dir.ts';
import { openBackend } from '../../../storage/open-backend.ts';
import { configuredKeys } from '../../../storage/sealed/keyring.ts';
import { confirm } from '../console/ask.ts';
import { CommandFailed, WrongUsage } from '../console/failures.ts';
import { byteProgress, noteAbove } from '../console/progress.ts';
import type { AddCommand, Shell } from '../console/shell.ts';
import { counted, size } from '../console/size.ts';
import { table } from '../console/table.ts';
import { noteCommand } from '../note-command.ts';

type Options = {
  list?: boolean;
  verify?: boolean;
  only?: string;
  discard?: boolean;
  yes?: boolean;
  snapshot?: string;
  skipDamaged?: boolean;
};

const closing = `
The database must hold no accounts and no pictures, the storage no originals, and no server may run. Each file's SHA-256 is
checked before it is stored; the rows come last, all at once. If interrupted, the same restore can be run again.
All logins end: sessions are no part of a backup.

A restore that was refused or interrupted leaves its files, and no server starts on them. --discard removes them, and asks first.

--only brings one file back beside a running server, into the storage that STORAGE names, from the newest snapshot that has the bytes its row names.`;

export const addRestore: AddCommand = (program, shell) => {
  program
    .command('restore')
    .description('bring a backup back, into an empty database and an empty storage')
    .argument('[file]', 'the backup')
    .option('--snapshot <time>', 'the snapshot whose time begins with this; default: the newest')
    .option('--skip-damaged', 'leave out files that the backup does not have whole, instead of ending there')
    .option('--only <key>', 'bring back this one file, as "doctor" names it, into the gallery as it is')
    .option('--list', 'only show the snapshots in the file')
    .option('--verify', 'only read the whole file and check every SHA-256')
    .option('--discard', 'without <file>: remove the files of an unfinished restore; asks first')
    .option('--yes', 'do not ask')
    .addHelpText('after', closing)
    .action(async (path: string | undefined, { discard = false, yes = false, ...options }: Options) => {
      if (discard && path === undefined && Object.keys(options).length === 0) return discardInto(yes, shell);
      if (discard || yes) throw new WrongUsage('Give --discard without a file, and --yes with it alone.');
      if (path === undefined) throw new WrongUsage('Give the backup: restore <file>.');
      await withFile(path, options, shell);
    });
};

async function withFile(path: string, { list = false, verify = false, only, ...options }: Options, shell: Shell) {
  const others = Object.keys(options).length;
  if ([list, verify, only !== undefined].filter(Boolean).length > 1 || (only !== undefined && others > 0)) {
    throw new WrongUsage('Give --list, --verify or --only, one of them alone.');
  }
  const file = shell.path(path);
  if (list) await listSnapshots(file, shell);
  else if (verify) await verifyWhole(file, shell);
  else if (only !== undefined) await bringBack(file, only, shell);
  else await restoreInto(file, options, shell);
}

async function listSnapshots(file: string, shell: Shell): Promise<void> {
  const archive = await openArchive(file, configuredKeys(shell.config()));
  try {
    const rows: string[][] = [];
    for (const snapshot of archive.snapshots) rows.push(await rowOf(archive, snapshot));
    console.log(table(['snapshot', 'accounts', 'images', 'size', 'missing or damaged', 'by version'], rows));
    if (archive.left > 0) console.error(`After them are ${size(archive.left)} of an interrupted backup.`);
    if (archive.gaps.length > 0) throw new CommandFailed('The file is damaged: --verify shows where.');
  } finally {
    await archive.close();
  }
}

/** Without the key, only the time of a sealed snapshot is known. */
async function rowOf(archive: Archive, snapshot: Snapshot): Promise<string[]> {
  try {
    const { time, program, tables, files } = await archive.readManifest(snapshot);
    const count = (name: string) => String(tables.find((each) => each.name === name)?.rows ?? 0);
    return [time, count('users'), count('images'), size(files.bytes), `${files.missing + files.damaged}`, program];
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    return [snapshot.time, 'sealed', 'sealed', 'sealed', 'sealed', 'sealed'];
  }
}

async function verifyWhole(file: string, { signal, config }: Shell): Promise<void> {
  const keyring = configuredKeys(config());
  const result = await verifyBackup({ file, keyring, progress: byteProgress(), report: noteAbove, signal });
  console.log(`${result.snapshots} snapshots, ${result.objects} objects, ${size(result.bytes)} read.`);
  if (result.problems > 0) throw new CommandFailed(`${result.problems} problems, see above.`);
  if (result.unchecked > 0) {
    console.log(
      'Every SHA-256 is right. The snapshots are sealed, and no ENCRYPTION_KEY is given: whether each has all it names, ' +
        'and whether anyone has changed the file and its hashes, was not checked.',
    );
    return;
  }
  console.log('All is well: every SHA-256 is right, and every snapshot has all it names.');
}

function bringBack(file: string, key: string, shell: Shell): Promise<void> {
  return shell.withAdmin(async (admin) => {
    const parts = { db: admin.db, storage: await admin.storage(), keyring: configuredKeys(admin.config) };
    const time = await restoreOne(parts, file, key);
    await noteCommand(admin.db, 'restore', { snapshot: time, file: key });
    console.log(`Brought back ${key} from the snapshot ${time}.`);
  });
}

/** The storage that restores write to, while no server runs. */
function withTarget(shell: Shell, work: (parts: RestoreParts, db: Database) => Promise<void>): Promise<void> {
  return shell.withAdmin(
    async ({ config, server, db, sql, processRegistry }) => {
      if (server === 'runs') throw new CommandFailed('A server is running on this database: stop it first.');
      await ensureDataDir(config.dataDir);
      const { number, isAlive } = await processRegistry();
      if (config.storageFallback) {
        throw new CommandFailed('A restore goes into one storage, STORAGE: leave STORAGE_FALLBACK empty.');
      }
      const target = await openBackend(config.storage, config);
      const keyring = configuredKeys(config);
      const parts = { sql, target, root: filesOf(config), process: number, isAlive, keyring };
      await work(parts, db).finally(() => target.close());
    },
    { anySchema: true },
  );
}

function discardInto(yes: boolean, shell: Shell): Promise<void> {
  return withTarget(shell, async (parts) => {
    const files = counted(await unfinishedFiles(parts), 'file');
    const { location } = parts.target.marker.texts;
    if (!yes) await confirm(`This removes ${files} that an unfinished restore has left in ${location}.`, 'discard');
    console.log(`${counted(await discardRestore(parts), 'file')} removed from ${location}.`);
  });
}

/** A new machine often lacks the secret that sealed them, which is no part of a backup. */
async function warnOfApps(db: Database, config: Config): Promise<void> {
  const { length } = await unreadableApps(db, config);
  if (length === 0) return;
  console.error(
    `${counted(length, 'authenticator app')} in the backup cannot be checked here: the JWT_SECRET is another one, so codes will be refused. ` +
      'Before you start the server, set JWT_SECRET to that of the old server, or copy its file jwt-secret into DATA_DIR. ' +
      'Without it, owners log in with a recovery code or a passkey and set the app up again.',
  );
}

async function restoreInto(file: string, { snapshot, skipDamaged = false }: Options, shell: Shell): Promise<void> {
  let hint: string | undefined;
  const work = async (parts: RestoreParts, db: Database) => {
    const result = await restore(parts, {
      file,
      snapshot,
      begun: (text) => {
        hint = text;
      },
      ...(skipDamaged && { skipDamaged: ({ key }: { key: string }) => noteAbove(`damaged in the backup: ${key}`) }),
      progress: byteProgress(),
      signal: shell.signal,
    });
    hint = undefined;
    const { time, files } = result.manifest;
    // The database that holds the log has only just been written.
    await noteCommand(db, 'restore', { snapshot: time, files: files.count, without: result.without });
    if (result.resumed) console.log('An earlier restore was continued.');
    console.log(`Restored the snapshot ${time}: ${files.count} files, ${size(files.bytes)}.`);
    await warnOfApps(db, shell.config());
    if (result.without > 0) {
      throw new CommandFailed(`${result.without} images are left out, since the backup has not their bytes.`);
    }
    if (files.missing + files.damaged > 0) {
      throw new CommandFailed(
        `${files.missing} files were lost and ${files.damaged} damaged before the backup was made; "doctor" names them.`,
      );
    }
  };
  try {
    await withTarget(shell, work);
  } catch (error) {
    if (hint !== undefined) console.error(hint);
    throw error;
  }
}
