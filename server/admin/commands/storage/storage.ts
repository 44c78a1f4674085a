import { type Command, Option } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { checkBucketSettings } from '../../../config/checks.ts';
import { codeOf } from '../../../database/start-error.ts';
import { copyAll, type Failure, type Sums } from '../../migrate-storage/migrate-storage.ts';
import { openSourceAndTarget } from '../../migrate-storage/source-and-target.ts';
import { CommandFailed, WrongUsage } from '../console/failures.ts';
import { byteProgress, noteAbove } from '../console/progress.ts';
import type { AddCommand, Shell } from '../console/shell.ts';
import { counted, size } from '../console/size.ts';
import type { Admin } from '../context.ts';
import { withExclusiveLock } from '../exclusive-lock.ts';

type Kind = 'disk' | 's3';
type Options = { from: Kind; to: Kind; json?: boolean };

const closing = `
disk is DATA_DIR/files, s3 the bucket that S3_* name, regardless of STORAGE. The server may keep running; how it is switched is
described in docs/run/object-storage.md. Files are copied as stored, sealed or plain, and verified with the
SHA-256 of their rows; files that the target holds whole are skipped, so that it may be interrupted and run again. Nothing is removed from the source.

Exit code 1 where something could not be copied.`;

export const addStorage: AddCommand = (program, shell) => {
  const storage = program.command('storage').description('move what is stored').helpCommand(false);
  addCopy(storage, shell);
};

function addCopy(storage: Command, shell: Shell): void {
  const storageOption = (flag: string, text: string) =>
    new Option(`${flag} <backend>`, text).choices(['disk', 's3']).makeOptionMandatory();
  storage
    .command('copy')
    .description('copy all pictures from the disk into a bucket, or back')
    .addOption(storageOption('--from', 'where they are'))
    .addOption(storageOption('--to', 'where they are to be'))
    .option('--json', 'print one JSON document, with every failure')
    .addHelpText('after', closing)
    .action(async (options: Options) => {
      if (options.from === options.to)
        throw new WrongUsage('Give two backends: --from disk --to s3, or the other way.');
      await shell.withAdmin((admin) => withExclusiveLock(admin.address, () => run(admin, options, shell)));
    });
}

async function run(admin: Admin, { json = false, ...kinds }: Options, { signal }: Shell): Promise<void> {
  const { config, db } = admin;
  checkBucketSettings(config, 'pictures are copied from or to s3');
  const { number: process, isAlive } = await admin.processRegistry();
  const log = { warn: (_details: object, message: string) => noteAbove(message) };
  const sides = await openSourceAndTarget({ config, db, process, log }, kinds);
  const failures: Failure[] = [];
  const report = (failure: Failure) => {
    if (json) failures.push(failure);
    else noteAbove(`${failure.key}: ${failure.reason}`);
  };
  try {
    await note(db, { action: 'storage.copy', actor: commandLine, details: kinds });
    // Removes what killed copies left.
    await sides.staging.sweep(isAlive);
    const sums = await copyAll({ ...sides, db }, { progress: byteProgress(), report, signal }).catch(asAway);
    if (json) console.log(JSON.stringify({ ...sums, failures }));
    else console.log(`${sentenceOf(sums)}.`);
    if (sums.failed > 0) {
      throw new CommandFailed(`${counted(sums.failed, 'file')} could not be copied${json ? '' : ', see above'}.`);
    }
  } finally {
    await sides.close();
  }
}

const sentenceOf = ({ copied, bytes, there, gone, failed }: Sums) =>
  `${counted(copied, 'file')} copied (${size(bytes)}), ${there} already there, ${counted(gone, 'image')} gone meanwhile, ${failed} failed`;

function asAway(error: Error): never {
  if (codeOf(error) !== 'STORAGE_UNAVAILABLE') throw error;
  const { message } = (error.cause ?? error) as Error;
  throw new CommandFailed(
    `A storage does not answer any more (${message}). Run the same again: it continues where it stopped.`,
  );
}
