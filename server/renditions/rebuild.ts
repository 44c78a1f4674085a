import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { NotFound } from '../errors.ts';
import { findByContent } from '../images/content-queries.ts';
import { contentIdOf } from '../images/keys.ts';
import { findOwnImage } from '../images/queries.ts';
import { makeLateRenditions } from './late-renditions.ts';
import type { LateNeed } from './on-demand.ts';
import { type RebuildParts, rebuildRenditions } from './rebuild-renditions.ts';

const changedBy = {
  first: ['traces', 'thumbnailSha256', 'hasScreen', 'renditionsSealed'],
  screen: ['screenSha256', 'renditionsSealed'],
  avif: ['thumbnailAvifSha256', 'screenAvifSha256', 'renditionsSealed'],
} as const;

/** Does nothing if another request has rebuilt them since `row` was read. @throws NotFound; errors of rebuildRenditions */
export async function rebuild(db: Database, parts: RebuildParts, row: ImageRow, late?: LateNeed): Promise<ImageRow> {
  const now = (await findOwnImage(db, row.ownerId, row.id)) ?? (await findByContent(db, contentIdOf(row)));
  if (!now) throw new NotFound('There is no image at this link. It may have been deleted.');
  const isMoved = contentIdOf(now) !== contentIdOf(row);
  const columns = changedBy[late ? (late.avif ? 'avif' : 'screen') : 'first'];
  const isDone = isMoved || columns.some((column) => now[column] !== row[column]);
  if (isDone) return now;
  return late ? makeLateRenditions(parts, now, late) : rebuildRenditions(parts, now);
}
