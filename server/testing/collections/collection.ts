/** Counts rows about stored bytes in a test's database. */
import { query } from '../postgres/embedded.ts';

/** @returns numbers of images and of orphaned blobs */
export async function rowsOf(url: string): Promise<{ images: number; orphaned: number }> {
  const [rows] = await query(
    url,
    'select (select count(*)::int from images) as images, (select count(*)::int from orphaned_blobs) as orphaned',
  );
  return rows as { images: number; orphaned: number };
}

/** @returns whether every account's sums match its images */
export async function countsHold(url: string): Promise<boolean> {
  const wrong = await query(
    url,
    `select u.id from users u left join images i on i.owner_id = u.id group by u.id
      having u.image_count <> count(i.id) or u.image_bytes <> coalesce(sum(i.size), 0)`,
  );
  return wrong.length === 0;
}
