/** The rows of a test's database that tell of bytes. */
import { query } from '../postgres/embedded.ts';

/** @returns how many images and how many loose bytes the database knows */
export async function rowsOf(url: string): Promise<{ images: number; loose: number }> {
  const [rows] = await query(
    url,
    'select (select count(*)::int from images) as images, (select count(*)::int from loose_bytes) as loose',
  );
  return rows as { images: number; loose: number };
}

/** @returns for each account whether what it is said to hold is what its images add up to */
export async function countsHold(url: string): Promise<boolean> {
  const wrong = await query(
    url,
    `select u.id from users u left join images i on i.owner_id = u.id group by u.id
      having u.image_count <> count(i.id) or u.image_bytes <> coalesce(sum(i.size), 0)`,
  );
  return wrong.length === 0;
}
