/** Every image's row against its bytes. */
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { originalKey, screenKey, thumbnailKey } from '../images/keys.ts';
import type { Progress } from '../progress.ts';
import type { Storage } from '../storage/storage.ts';
import type { Finding, Report } from './findings.ts';
import { lookAt, type Said } from './look.ts';
import { allImages, bytesOfImages, findImage } from './queries.ts';

export type ImageParts = {
  db: Database;
  storage: Pick<Storage, 'stat' | 'read'>;
  /** Makes an image's renditions anew. */
  rebuild: (row: ImageRow) => Promise<unknown>;
};
type Options = {
  quick: boolean;
  repair: boolean;
  progress: Progress;
  report: Report;
  signal?: AbortSignal | undefined;
};

/** @returns how many images there were */
export async function checkImages(parts: ImageParts, options: Options): Promise<number> {
  const { progress, signal } = options;
  let count = 0;
  progress.begin('Images', await bytesOfImages(parts.db));
  for await (const row of allImages(parts.db)) {
    signal?.throwIfAborted();
    for (const finding of await checkImage(parts, row, options)) options.report(finding);
    progress.advance(row.size);
    count += 1;
  }
  progress.end();
  return count;
}

async function checkImage(parts: ImageParts, row: ImageRow, options: Options): Promise<Finding[]> {
  const first = await lookAtAll(parts, row, options.quick);
  if (first.length === 0) return [];
  // Looked at again with the row as it is now: it may have been deleted, or its renditions made anew, in between.
  const now = await findImage(parts.db, row.id);
  const found = now ? await lookAtAll(parts, now, options.quick) : [];
  const renditions = found.filter(({ kind }) => kind.startsWith('rendition'));
  if (found.length === renditions.length)
    return now && options.repair && found.length > 0 ? mend(parts, now, found) : found;
  // What would be made from such an original might not be the picture.
  for (const finding of renditions) finding.detail = 'made anew once its original is back';
  return found;
}

/** @param found renditions, which alone are at fault */
async function mend(parts: ImageParts, now: ImageRow, found: Finding[]): Promise<Finding[]> {
  try {
    await parts.rebuild(now);
    for (const finding of found) finding.repaired = true;
  } catch (error) {
    if ((await findImage(parts.db, now.id)) === undefined) return [];
    for (const finding of found) finding.detail = `not made anew: ${(error as Error).message}`;
  }
  return found;
}

async function lookAtAll({ storage }: ImageParts, row: ImageRow, quick: boolean): Promise<Finding[]> {
  const { size, sha256, thumbnailSha256, screenSha256, hasScreen } = row;
  const findings: Finding[] = [];
  const look = async (what: 'original' | 'rendition', said: Said) => {
    const verdict = await lookAt(storage, said, quick);
    if (verdict.is === 'good') return;
    const { is, detail } = verdict;
    const kind =
      what === 'original' ? (`original ${is}` as const) : is === 'missing' ? 'rendition missing' : 'rendition damaged';
    findings.push({ kind, subject: said.key, ...(detail !== undefined && { detail }), repaired: false });
  };
  await look('original', { key: originalKey(row), size, sha256 });
  await look('rendition', { key: thumbnailKey(row), size: null, sha256: thumbnailSha256 });
  if (hasScreen) await look('rendition', { key: screenKey(row), size: null, sha256: screenSha256 });
  return findings;
}
