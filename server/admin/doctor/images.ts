/** Every image's row against its bytes; those that several images share are looked at once. */
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { firstOfEach, imagesNaming, sharedContents } from '../../images/content-queries.ts';
import { contentIdOf, originalKey, screenKey } from '../../images/keys.ts';
import { bytesOfImages } from '../../images/queries.ts';
import { lateNeed, renditionNames, renditions } from '../../images/rendition-names.ts';
import type { Progress } from '../../lib/progress.ts';
import type { RetryPolicy } from '../../storage/retry-policy.ts';
import type { Storage } from '../../storage/storage.ts';
import { lookAt, type Said } from './check.ts';
import type { Issue, Report } from './issues.ts';
import { allImages, imageNow } from './queries.ts';

export type ImageParts = {
  db: Database;
  storage: Pick<Storage, 'stat' | 'read' | 'isHealthy'>;
  /** Makes an image's renditions again; with `late`, those that are made after the answer to its upload. */
  rebuild: (row: ImageRow, late?: { screen: boolean; avif: boolean }) => Promise<ImageRow>;
};
type Options = {
  quick: boolean;
  repair: boolean;
  progress: Progress;
  report: Report;
  patience: RetryPolicy;
};

/** @returns how many images there were */
export async function checkImages(parts: ImageParts, options: Options): Promise<number> {
  const { progress, patience } = options;
  let count = 0;
  progress.begin('Images', await bytesOfImages(parts.db));
  const shared = await sharedContents(parts.db);
  const isFirst = firstOfEach(shared);
  for await (const row of allImages(parts.db)) {
    patience.signal?.throwIfAborted();
    const issues = isFirst(row) ? await checkImage(parts, row, options) : [];
    if (issues.length > 0 && shared.has(contentIdOf(row))) await nameImages(parts.db, row, issues);
    for (const issue of issues) options.report(issue);
    progress.advance(row.size);
    count += 1;
  }
  progress.end();
  return count;
}

/** Images that are named with a file they share. */
const MAX_NAMED = 10;

async function nameImages(db: Database, row: ImageRow, issues: Issue[]): Promise<void> {
  const ids = await imagesNaming(db, contentIdOf(row), MAX_NAMED + 1);
  const named = `of ${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? ' and more' : ''}`;
  for (const issue of issues) issue.detail = issue.detail ? `${issue.detail}; ${named}` : named;
}

async function checkImage(parts: ImageParts, row: ImageRow, options: Options): Promise<Issue[]> {
  const first = await lookAtAll(parts, row, options);
  if (first.length === 0) return [];
  // Looked at again with the row as it is now: it may have been deleted, or its renditions made anew, in between.
  const now = await imageNow(parts.db, row);
  const found = now ? await lookAtAll(parts, now, options) : [];
  const renditions = found.filter(({ kind }) => kind.startsWith('rendition'));
  if (found.length === renditions.length)
    return now && options.repair && found.length > 0 ? repair(parts, now, found, options) : found;
  // What would be made from such an original might not be the picture.
  for (const issue of renditions) issue.detail = 'made anew once its original is back';
  return found;
}

/**
 * Makes an image's renditions again and looks at them afterwards.
 * @param found renditions, which alone are at fault
 */
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
    if (!issue.repaired) issue.detail = `not made anew: ${reason}`;
  }
  return found;
}

async function rebuildAll({ rebuild }: ImageParts, row: ImageRow, found: Issue[]): Promise<void> {
  const wrong = new Set(found.map(({ subject }) => subject));
  const names = renditionNames.filter((name) => wrong.has(renditions[name].keyOf(row)));
  const late = names.map((name) => lateNeed(row, name));
  const now = late.includes(undefined) ? await rebuild(row) : row;
  const needs = late.filter((need) => need !== undefined);
  if (needs.length === 0) return;
  const [screen, avif] = [needs.some((need) => need.screen), needs.some((need) => need.avif)];
  await rebuild(now, { screen, avif });
}

async function lookAtAll({ storage }: ImageParts, row: ImageRow, options: Options): Promise<Issue[]> {
  const issues: Issue[] = [];
  const look = async (what: 'original' | 'rendition', said: Said) => {
    const verdict = await lookAt(storage, said, options);
    if (verdict.is === 'good') return;
    const { is, detail } = verdict;
    const kind =
      what === 'original' ? (`original ${is}` as const) : is === 'missing' ? 'rendition missing' : 'rendition damaged';
    issues.push({ kind, subject: said.key, ...(detail !== undefined && { detail }), repaired: false });
  };
  await look('original', { key: originalKey(row), size: row.size, sha256: row.sha256, sealed: row.sealed });
  for (const name of renditionNames) {
    const { keyOf, digest } = renditions[name];
    if (row[digest] === null && lateNeed(row, name)) continue; // not made, or not yet
    await look('rendition', { key: keyOf(row), size: null, sha256: row[digest], sealed: row.renditionsSealed });
  }
  return issues.filter(({ kind, subject }) => kind !== 'rendition missing' || !comesAgain(row, subject));
}

/** No backup holds a screen size that was made after the answer; it is made again when it is asked for. */
const comesAgain = (row: ImageRow, key: string) => !row.hasScreen && key === screenKey(row);
