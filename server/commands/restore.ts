import { openArchive } from '../backup/archive-reader.ts';
import { restore } from '../backup/restore.ts';
import { restoreOne } from '../backup/restore-one.ts';
import { verifyBackup } from '../backup/verify.ts';
import { ensureDataDir } from '../storage/data-dir.ts';
import { filesOf, openPlace } from '../storage/place.ts';
import { configuredKeys } from '../storage/sealed/keyring.ts';
import { CommandFailed, WrongUsage } from './failures.ts';
import { byteProgress, noteAbove } from './progress.ts';
import type { AddCommand, Shell } from './shell.ts';
import { size } from './size.ts';
import { table } from './table.ts';

type Options = { list?: boolean; verify?: boolean; only?: string; snapshot?: string; skipDamaged?: boolean };

const closing = `
The database must hold no accounts and no pictures, the storage no originals, and no server may run. Each file's SHA-256 is
checked before it stands in its place; the rows come last, all at once. Broken off, the same restore can be run again.
All logins end: sessions are no part of a backup.

--only brings one file back beside a running server, into the storage that STORAGE names, from the newest snapshot that has the bytes its row names.`;

export const addRestore: AddCommand = (program, shell) => {
  program
    .command('restore')
    .description('bring a backup back, into an empty database and an empty storage')
    .argument('<file>', 'the backup')
    .option('--snapshot <time>', 'the snapshot whose time begins so; without it the newest')
    .option('--skip-damaged', 'leave out what the backup has not whole, instead of ending there')
    .option('--only <key>', 'bring back this one file, as "doctor" names it, into the gallery as it is')
    .option('--list', 'only show the snapshots in the file')
    .option('--verify', 'only read the whole file and check every SHA-256')
    .addHelpText('after', closing)
    .action(async (path: string, { list = false, verify = false, only, ...options }: Options) => {
      const others = Object.keys(options).length;
      if ([list, verify, only !== undefined].filter(Boolean).length > 1 || (only !== undefined && others > 0)) {
        throw new WrongUsage('Give --list, --verify or --only, one of them alone.');
      }
      const file = shell.path(path);
      if (list) await listSnapshots(file);
      else if (verify) await verifyWhole(file, shell);
      else if (only !== undefined) await bringBack(file, only, shell);
      else await restoreInto(file, options, shell);
    });
};

async function listSnapshots(file: string): Promise<void> {
  const archive = await openArchive(file);
  try {
    const rows: string[][] = [];
    for (const snapshot of archive.snapshots) {
      const { time, program, tables, files } = await archive.readManifest(snapshot);
      const count = (name: string) => String(tables.find((each) => each.name === name)?.rows ?? 0);
      rows.push([
        time,
        count('users'),
        count('images'),
        size(files.bytes),
        `${files.missing + files.damaged}`,
        program,
      ]);
    }
    console.log(table(['snapshot', 'accounts', 'images', 'size', 'missing or damaged', 'by version'], rows));
    if (archive.left > 0) console.error(`Behind them are ${size(archive.left)} of a backup that was broken off.`);
    if (archive.gaps.length > 0) throw new CommandFailed('The file is damaged: --verify tells where.');
  } finally {
    await archive.close();
  }
}

async function verifyWhole(file: string, { signal }: Shell): Promise<void> {
  const result = await verifyBackup({ file, progress: byteProgress(), report: noteAbove, signal });
  console.log(`${result.snapshots} snapshots, ${result.objects} objects, ${size(result.bytes)} read.`);
  if (result.problems > 0) throw new CommandFailed(`${result.problems} problems, see above.`);
  console.log('All is well: every SHA-256 is right, and every snapshot has all it names.');
}

function bringBack(file: string, key: string, shell: Shell): Promise<void> {
  return shell.withAdmin(async (admin) => {
    const parts = { db: admin.db, storage: await admin.storage(), keyring: configuredKeys(admin.config) };
    const time = await restoreOne(parts, file, key);
    console.log(`Brought back ${key} from the snapshot ${time}.`);
  });
}

function restoreInto(file: string, { snapshot, skipDamaged = false }: Options, shell: Shell): Promise<void> {
  return shell.withAdmin(
    async ({ config, server, sql, presence }) => {
      if (server === 'runs') throw new CommandFailed('A server is running on this database: stop it first.');
      await ensureDataDir(config.dataDir);
      const { number, isAlive } = await presence();
      const keyring = configuredKeys(config);
      if (config.storageFallback) {
        throw new CommandFailed('A restore goes into one storage, STORAGE: leave STORAGE_FALLBACK empty.');
      }
      const place = await openPlace(config.storage, config);
      const parts = { sql, place, root: filesOf(config), process: number, isAlive, keyring };
      const result = await restore(parts, {
        file,
        snapshot,
        ...(skipDamaged && { skipDamaged: ({ key }: { key: string }) => noteAbove(`damaged in the backup: ${key}`) }),
        progress: byteProgress(),
        signal: shell.signal,
      }).finally(() => place.close());
      const { time, files } = result.manifest;
      if (result.resumed) console.log('An earlier restore was continued.');
      console.log(`Restored the snapshot ${time}: ${files.count} files, ${size(files.bytes)}.`);
      if (result.without > 0) {
        throw new CommandFailed(`${result.without} images are left out, since the backup has not their bytes.`);
      }
      if (files.missing + files.damaged > 0) {
        throw new CommandFailed(
          `${files.missing} files were lost and ${files.damaged} damaged before the backup was made; "doctor" names them.`,
        );
      }
    },
    { anySchema: true },
  );
}
