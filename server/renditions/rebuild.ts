import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { NotFound } from '../errors.ts';
import { findByContent } from '../images/content-queries.ts';
import { contentIdOf } from '../images/keys.ts';
import { findOwnImage } from '../images/queries.ts';
import { makeLateRenditions } from './late-renditions.ts';
import type { LateNeed } from './on-demand.ts';
import { type RebuildParts, rebuildRenditions } from './rebuild-renditions.ts';

/** Columns that change when renditions are made: those of the upload's answer, and those of the background. */
const changedBy = {
  first: ['traces', 'thumbnailSha256', 'hasScreen', 'renditionsSealed'],
  screen: ['screenSha256', 'renditionsSealed'],
  avif: ['thumbnailAvifSha256', 'screenAvifSha256', 'renditionsSealed'],
} as const;

/**
 * Makes renditions again from the original, unless another request has done so since `row` was read. They are made for all
 * images of the content: if the image itself is deleted meanwhile, others still wait for them.
 * @throws NotFound; what rebuildRenditions throws
 */
export async function rebuild(db: Database, parts: RebuildParts, row: ImageRow, late?: LateNeed): Promise<ImageRow> {
  const now = (await findOwnImage(db, row.ownerId, row.id)) ?? (await findByContent(db, contentIdOf(row)));
  if (!now) throw new NotFound('There is no image at this link. It may have been deleted.');
  const isMoved = contentIdOf(now) !== contentIdOf(row);
  const columns = changedBy[late ? (late.avif ? 'avif' : 'screen') : 'first'];
  const isDone = isMoved || columns.some((column) => now[column] !== row[column]);
  if (isDone) return now;
  return late ? makeLateRenditions(parts, now, late) : rebuildRenditions(parts, now);
}
