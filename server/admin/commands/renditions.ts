import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { validate as isUuid } from 'uuid';
import type { ImageRow } from '../../../drizzle/schema.ts';
import { commandLine, note } from '../../audit/note.ts';
import { isUnavailable } from '../../database/connect.ts';
import { codeOf, messageOf } from '../../database/start-error.ts';
import { type ChecksumCache, createChecksumCache } from '../../images/checksum-cache.ts';
import { eachImage, first } from '../../images/each-image.ts';
import { screenKey, thumbnailKey } from '../../images/keys.ts';
import { countImagesAfter } from '../../images/queries.ts';
import { CommandFailed } from './console/failures.ts';
import { startProgress } from './console/progress.ts';
import type { AddCommand } from './console/shell.ts';
import type { Admin } from './context.ts';
import { createRebuilder } from './rebuilder.ts';

type Options = { missing?: boolean; after?: string };
type Failure = { image: ImageRow; reason: string };

export const addRenditions: AddCommand = (program, shell) => {
  program
    .command('renditions')
    .description('manage thumbnails and screen sizes')
    .helpCommand(false)
    .command('rebuild')
    .description('rebuild them from the originals, and look for locations in their metadata; may be run at any time')
    .option('--missing', 'only where one is missing or damaged, or an earlier version of the program made it')
    .option('--after <id>', 'only of images after this one: continue an interrupted run', imageId)
    .action(async (options: Options) => {
      const run = { done: options.after ?? first };
      try {
        await shell.withAdmin((admin) => rebuildAll(admin, options, run));
      } catch (error) {
        if (shell.signal.aborted && run.done !== first) console.error(`To continue from here, add --after ${run.done}`);
        throw error;
      }
    });
};

function imageId(text: string): string {
  if (isUuid(text)) return text;
  throw new InvalidArgumentError('It must be the id of an image.');
}

/** @param run.done the last finished image; a later run continues from it */
async function rebuildAll({ db, config, ...admin }: Admin, { missing = false }: Options, run: { done: string }) {
  const storage = await admin.storage();
  await note(db, { action: 'renditions.rebuild', actor: commandLine, details: { missing } });
  const checksums = createChecksumCache(storage);
  const rebuilder = createRebuilder(db, storage, config, (await admin.processRegistry()).number);
  const progress = startProgress('Renditions', await countImagesAfter(db, run.done));
  const failures: Failure[] = [];
  let [seen, rebuilt] = [0, 0];

  const one = async (image: ImageRow, isFirst: boolean) => {
    try {
      if (isFirst && (!missing || (await wantsRebuild(image, checksums)))) {
        await rebuilder.rebuild(image);
        rebuilt += 1;
      }
    } catch (error) {
      // A failing server ends the run; a picture deleted meanwhile is no failure.
      if (isUnavailable(error) || codeOf(error) === 'NO_SPACE') throw error;
      if (codeOf(error) !== 'NOT_FOUND') failures.push({ image, reason: reasonOf(error) });
    }
    seen += 1;
    progress.step();
  };
  try {
    const done = (id: string) => {
      run.done = id;
    };
    await eachImage(db, { atOnce: availableParallelism(), after: run.done, done }, one);
  } finally {
    progress.stop();
    await rebuilder.close();
  }
  for (const { image, reason } of failures) console.error(`${image.id}: ${reason}`);
  const sum = `${seen} images checked, renditions of ${rebuilt} rebuilt`;
  if (failures.length > 0) throw new CommandFailed(`${sum}, of ${failures.length} not.`);
  console.log(`${sum}.`);
}

/** Whether a rendition differs from its row, or the row lacks a value that this version computes. */
async function wantsRebuild(image: ImageRow, checksums: ChecksumCache): Promise<boolean> {
  if (image.traces === null || image.thumbnailSha256 === null) return true;
  const read = (key: string) => checksums.read(key, undefined, image.renditionsSealed);
  if ((await read(thumbnailKey(image)))?.sha256 !== image.thumbnailSha256) return true;
  return image.hasScreen && (await read(screenKey(image)))?.sha256 !== (image.screenSha256 ?? '');
}

const reasons: Record<string, string> = {
  DAMAGED_ORIGINAL: 'its original is missing or damaged; "doctor" shows more',
  RENDITION_UNAVAILABLE: 'its original cannot be decoded (any more)',
};

const reasonOf = (error: unknown) => reasons[codeOf(error) ?? ''] ?? messageOf(error);
