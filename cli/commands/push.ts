import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { currentToken } from '../api/calls.ts';
import type { Connection } from '../api/http.ts';
import { Unreachable } from '../api/refusal.ts';
import type { Command } from '../command.ts';
import { reasonOf, stateFolder } from '../files.ts';
import { bytesOf, pathOf, readable, typedPath } from '../paths.ts';
import { createFolderAlbums } from '../push/albums.ts';
import { openJournal } from '../push/journal.ts';
import { lock } from '../push/lock.ts';
import type { Outcome } from '../push/report.ts';
import { pushFiles } from '../push/run.ts';
import { type Found, type Scan, scan } from '../push/scan.ts';
import { watch } from '../push/watch.ts';
import { connect } from '../settings.ts';
import { oneOf, readArgs, UsageError } from '../usage.ts';

const summary = 'upload the pictures of a folder, each one once';

const help = `Uploads the pictures of a folder and its subfolders, each one once.

Usage: gallery push [--albums folders] [--dry-run] [--watch] FOLDER

  --albums folders   put the pictures of each folder into an album named after it
  --dry-run          show what would be sent, and send nothing
  --watch            continue with new pictures until you press Ctrl-C

You can stop it at any time and run it again: it continues where it was and sends
nothing twice. It never changes the folder. Hidden files, those of systems (Thumbs.db,
desktop.ini, @eaDir) and symbolic links are skipped.

The token needs the scope images:upload, for albums also albums:read and albums:write.`;

/** A journal for each server and token: another token may belong to another account. */
async function journalFile(connection: Connection): Promise<string> {
  const { id } = await currentToken(connection);
  const hash = createHash('sha256').update(`${connection.address} ${id}`).digest('hex').slice(0, 16);
  return join(stateFolder(), `push-${hash}.jsonl`);
}

/** @throws UsageError */
async function folderAt(path: string): Promise<string> {
  const typed = bytesOf(await typedPath(path));
  const found = await stat(typed).catch((error: unknown) => {
    throw new UsageError(`${path}: ${reasonOf(error)}`);
  });
  if (!found.isDirectory()) throw new UsageError(`${path} is not a folder.`);
  // The journal knows files by their whole path.
  return pathOf(await realpath(typed, 'buffer'));
}

function summaryOf({ stored, present, failed, unsent }: Outcome, { others, hidden }: Scan, isDryRun: boolean): string {
  const counts = [
    isDryRun ? `${unsent} to send` : `${stored} stored`,
    `${present} stored earlier`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unsent > 0 && !isDryRun ? [`${unsent} not sent`] : []),
    ...(others > 0 ? [`${others} other files skipped`] : []),
    ...(hidden > 0 ? [`${hidden} hidden and system files skipped`] : []),
  ];
  return counts.join(', ');
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    albums: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  });
  if (values.albums !== undefined) oneOf('--albums', values.albums, ['folders']);
  const isDryRun = values['dry-run'];
  if (isDryRun && values.watch) throw new UsageError('Use either --dry-run or --watch.');
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('Name one folder.');
  const root = await folderAt(path);
  const connection = connect();
  const file = await journalFile(connection);
  const unlock = isDryRun ? () => {} : await lock(file);
  const journal = openJournal(file, isDryRun);
  const albums = createFolderAlbums(connection, readable(root));
  const albumFor = async (folder: string) => (values.albums && !isDryRun ? albums.idFor(folder) : undefined);
  const to = { connection, journal, albumFor, forgetAlbum: albums.forget, isDryRun };

  const pass = async (found: Scan, onFailed?: (file: Found) => void): Promise<Outcome> => {
    const outcome = await pushFiles({ ...to, ...(onFailed && { onFailed }) }, found);
    if (outcome.stopped) console.error(`gallery: ${outcome.stopped.message}`);
    console.log(summaryOf(outcome, found, isDryRun));
    return outcome;
  };

  const first = await scan(root);
  let outcome = await pass(first);
  const mayContinue = (stopped: Error) => stopped instanceof Unreachable;
  if (values.watch && (!outcome.stopped || mayContinue(outcome.stopped))) {
    const isDone = (one: Found) => journal.find(one)?.image !== undefined || journal.find(one)?.refused !== undefined;
    outcome = await watch(root, { first, isDone, pass, mayContinue });
  }
  journal.close();
  unlock();
  return outcome.failed > 0 || outcome.stopped ? 1 : 0;
}

export const push: Command = { summary, help, run };
