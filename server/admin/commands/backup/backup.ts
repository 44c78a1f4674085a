import { backUp } from '../../../backup/backup.ts';
import { programVersion } from '../../../lib/version.ts';
import { jobOption, recorded } from '../../jobs/record.ts';
import { CommandFailed } from '../console/failures.ts';
import { byteProgress, noteAbove } from '../console/progress.ts';
import type { AddCommand, Shell } from '../console/shell.ts';
import { counted, size } from '../console/size.ts';
import type { Admin } from '../context.ts';
import { noteCommand } from '../note-command.ts';

const closing = `
The server may keep running. Where <file> is a backup of this installation already, only what it does not hold yet is
appended, with a new snapshot; else it is made. It is a tar file, sealed as a whole with ENCRYPTION_KEY. Without a key it holds password
hashes, private pictures and the links to all of them in the clear. A file that was begun without a key is not continued with one.

Exit code 1 where something is missing or damaged: all the rest is in the backup nevertheless.`;

type Options = { full?: boolean; job?: string };

export const addBackup: AddCommand = (program, shell) => {
  program
    .command('backup')
    .description('write the accounts, the pictures and their bytes into one file')
    .argument('<file>', 'the backup; on another disk, best on another machine')
    .option('--full', 'start a new file with this snapshot alone; the old one stays until the new one is whole')
    .addHelpText('after', closing)
    .addOption(jobOption())
    .action((path: string, options: Options) => shell.withAdmin((admin) => run(admin, shell, path, options)));
};

async function run(admin: Admin, shell: Shell, path: string, { full = false, job: id }: Options): Promise<void> {
  const { signal } = shell;
  // Those of the page are noted there.
  if (id === undefined) await noteCommand(admin.db, 'backup', { file: shell.path(path), full });
  const parts = { sql: admin.sql, storage: await admin.storage(), version: programVersion() };
  // On the page, the path is not in sight.
  const about = id === undefined ? '' : `BACKUP_PATH is ${shell.path(path)}.`;
  await recorded(admin.db, { kind: 'backup', id, signal, about }, async ({ progress }) => {
    const { file, manifest, added, issues, complaints, deleted } = await backUp(parts, {
      file: shell.path(path),
      full,
      progress: progress(byteProgress()),
      report: ({ key, kind, detail }) => noteAbove(`${kind}: ${key} (${detail})`),
      complain: noteAbove,
      signal,
    });
    const rows = (name: string) => manifest.tables.find((table) => table.name === name)?.rows ?? 0;
    console.log(`Snapshot ${manifest.time} in ${file}`);
    const summary =
      `${counted(rows('images'), 'image')} of ${counted(rows('users'), 'account')}, ${counted(manifest.files.count, 'file')}, ` +
      `${size(manifest.files.bytes)}; ${size(added.bytes)} of it new.`;
    console.log(summary);
    if (deleted > 0) console.log(`${counted(deleted, 'image')} deleted meanwhile and left out.`);
    if (issues > 0) {
      throw new CommandFailed(`${counted(issues, 'file')} missing or damaged, see above; "doctor" shows more.`);
    }
    if (complaints > 0) throw new CommandFailed('The file itself is damaged, see above.');
    const { count: files, bytes } = manifest.files;
    const facts = { images: rows('images'), accounts: rows('users'), files, bytes, added_bytes: added.bytes };
    return { summary, facts, findings: [], value: undefined };
  });
}
