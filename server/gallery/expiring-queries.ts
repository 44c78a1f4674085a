import { and, asc, isNotNull } from 'drizzle-orm';
import { type ImageRow, images } from '../../drizzle/schema.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { type Reach, reachableImages } from '../database/statements/access.ts';
import { isUnexpired } from '../images/expiry/queries.ts';

/** Images that will expire, the next one first. */
export async function listExpiring(
  db: ClientDatabase,
  reach: Reach,
  limit: number,
): Promise<{ rows: ImageRow[]; total: number }> {
  const expiring = and(reachableImages(reach), isNotNull(images.expiresAt), isUnexpired);
  const rows = await db
    .select()
    .from(images)
    .where(expiring)
    .orderBy(asc(images.expiresAt), asc(images.id))
    .limit(limit);
  return { rows, total: rows.length < limit ? rows.length : await db.$count(images, expiring) };
}
