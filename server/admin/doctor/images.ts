/** Checks every image's row against its bytes; shared bytes are checked once. */
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { firstOfEach, imagesNaming, sharedContents } from '../../images/content/queries.ts';
import { contentIdOf, originalKey, screenKey } from '../../images/keys.ts';
import { bytesOfImages } from '../../images/queries.ts';
import { type BackgroundNeed, backgroundNeed, renditionNames, renditions } from '../../images/rendition-names.ts';
import type { Progress } from '../../lib/progress.ts';
import type { RetryPolicy } from '../../storage/retry-policy.ts';
import type { Storage } from '../../storage/storage.ts';
import { type ExpectedFile, lookAt } from './check.ts';
import type { Issue, Report } from './issues.ts';
import { allImages, imageNow } from './queries.ts';

export type ImageParts = {
  db: Database;
  storage: Pick<Storage, 'stat' | 'read' | 'isHealthy'>;
  /** Rebuilds an image's renditions; with `need`, only those background renditions. */
  rebuild: (row: ImageRow, need?: BackgroundNeed) => Promise<ImageRow>;
};
type Options = {
  quick: boolean;
  repair: boolean;
  progress: Progress;
  report: Report;
  retries: RetryPolicy;
};

/** @returns number of images */
export async function checkImages(parts: ImageParts, options: Options): Promise<number> {
  const { progress, retries } = options;
  let count = 0;
  progress.begin('Images', await bytesOfImages(parts.db));
  const shared = await sharedContents(parts.db);
  const isFirst = firstOfEach(shared);
  for await (const row of allImages(parts.db)) {
    retries.signal?.throwIfAborted();
    const issues = isFirst(row) ? await checkImage(parts, row, options) : [];
    if (issues.length > 0 && shared.has(contentIdOf(row))) await nameImages(parts.db, row, issues);
    for (const issue of issues) options.report(issue);
    progress.advance(row.size);
    count += 1;
  }
  progress.end();
  return count;
}

/** Images named with a shared file. */
const MAX_NAMED = 10;

async function nameImages(db: Database, row: ImageRow, issues: Issue[]): Promise<void> {
  const ids = await imagesNaming(db, contentIdOf(row), MAX_NAMED + 1);
  const named = `of ${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? ' and more' : ''}`;
  for (const issue of issues) issue.detail = issue.detail ? `${issue.detail}; ${named}` : named;
}

async function checkImage(parts: ImageParts, row: ImageRow, options: Options): Promise<Issue[]> {
  const first = await lookAtAll(parts, row, options);
  if (first.length === 0) return [];
  // Checks again with the current row: the image may have been deleted, or its renditions rebuilt, in between.
  const now = await imageNow(parts.db, row);
  const found = now ? await lookAtAll(parts, now, options) : [];
  const renditions = found.filter(({ kind }) => kind.startsWith('rendition'));
  if (found.length === renditions.length)
    return now && options.repair && found.length > 0 ? repair(parts, now, found, options) : found;
  // A rendition of a damaged original might show another picture.
  for (const issue of renditions) issue.detail = 'rebuilt once its original is back';
  return found;
}

/** Rebuilds an image's renditions and checks them again. `found` holds issues of renditions only. */
async function repair(parts: ImageParts, row: ImageRow, found: Issue[], options: Options): Promise<Issue[]> {
  let left: Issue[] = found;
  let reason: string;
  try {
    await rebuildAll(parts, row, found);
    const now = await imageNow(parts.db, row);
    left = now ? await lookAtAll(parts, now, options) : [];
    reason = 'they are not right yet';
  } catch (error) {
    if ((await imageNow(parts.db, row)) === undefined) return [];
    reason = (error as Error).message;
  }
  const wrong = new Set(left.map(({ subject }) => subject));
  for (const issue of found) {
    issue.repaired = !wrong.has(issue.subject);
    if (!issue.repaired) issue.detail = `not rebuilt: ${reason}`;
  }
  return found;
}

async function rebuildAll({ rebuild }: ImageParts, row: ImageRow, found: Issue[]): Promise<void> {
  const wrong = new Set(found.map(({ subject }) => subject));
  const names = renditionNames.filter((name) => wrong.has(renditions[name].keyOf(row)));
  const wanted = names.map((name) => backgroundNeed(row, name));
  const now = wanted.includes(undefined) ? await rebuild(row) : row;
  const needs = wanted.filter((need) => need !== undefined);
  if (needs.length === 0) return;
  const [screen, avif] = [needs.some((need) => need.screen), needs.some((need) => need.avif)];
  await rebuild(now, { screen, avif });
}

async function lookAtAll({ storage }: ImageParts, row: ImageRow, options: Options): Promise<Issue[]> {
  const issues: Issue[] = [];
  const look = async (what: 'original' | 'rendition', expected: ExpectedFile) => {
    const verdict = await lookAt(storage, expected, options);
    if (verdict.is === 'good') return;
    const { is, detail } = verdict;
    const kind =
      what === 'original' ? (`original ${is}` as const) : is === 'missing' ? 'rendition missing' : 'rendition damaged';
    issues.push({ kind, subject: expected.key, ...(detail !== undefined && { detail }), repaired: false });
  };
  await look('original', { key: originalKey(row), size: row.size, sha256: row.sha256, sealed: row.sealed });
  for (const name of renditionNames) {
    const { keyOf, checksum } = renditions[name];
    if (row[checksum] === null && backgroundNeed(row, name)) continue; // not made, or not yet
    await look('rendition', { key: keyOf(row), size: null, sha256: row[checksum], sealed: row.renditionsSealed });
  }
  return issues.filter(({ kind, subject }) => kind !== 'rendition missing' || !comesAgain(row, subject));
}

/** A background screen size is in no backup and is rebuilt on request. */
const comesAgain = (row: ImageRow, key: string) => !row.hasScreen && key === screenKey(row);
