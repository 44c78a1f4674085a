/** Image rows without files, for tests that only read rows. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { images, type NewImageRow, users } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { newestFirst } from '../../gallery/order.ts';
import type { Wanted } from '../../gallery/search.ts';
import { searchNameOf } from '../../images/search-name.ts';

export async function insertOwner(db: Database): Promise<string> {
  const id = randomUUID();
  const row = { id, username: id, usernameKey: id, email: id, emailKey: id, passwordHash: '' };
  await db.insert(users).values(row);
  return id;
}

export type SomeImage = { ownerId: string } & Partial<
  Pick<NewImageRow, 'uploadedAt' | 'filename' | 'description' | 'contentType' | 'size' | 'width' | 'height'>
>;

export async function insertRows(db: Database, rows: SomeImage[]): Promise<string[]> {
  const values = rows.map(({ filename = 'some.png', description = '', ...more }) => ({
    id: randomUUID(),
    linkKey: randomBytes(16).toString('base64url'),
    filename,
    description,
    searchName: searchNameOf({ filename, description }),
    extension: 'png',
    contentType: 'image/png',
    size: 1,
    sha256: '0'.repeat(64),
    width: 1,
    height: 1,
    placeholder: '',
    uploadedAt: new Date(),
    ...more,
  }));
  if (values.length > 0) await db.insert(images).values(values);
  return values.map(({ id }) => id);
}

/** Many images of one owner, created by Postgres: one a minute, `IMG_<number>.jpg`, every hundredth `rare-<number>.jpg`. */
export async function insertManyRows(db: Database, ownerId: string, count: number): Promise<void> {
  // In batches: a connection that is silent for long is taken for lost.
  for (let first = 1; first <= count; first += 5000) {
    await db.execute(sql`
      insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width,
        height, placeholder, uploaded_at)
      select gen_random_uuid(), ${ownerId}::uuid, gen_random_uuid()::text, name, lower(name), 'jpg', 'image/jpeg',
        number % 997, '', 1, 1, '', timestamptz '2024-01-01 00:00Z' + number * interval '1 minute'
      from (select number, case when number % 100 = 0 then 'rare-' else 'IMG_' end || number || '.jpg' as name
        from generate_series(${first}::int, ${Math.min(first + 4999, count)}::int) number) named`);
  }
}

/** A search for a literal text without operators, as routes build it. */
export const asking = (text: string): Wanted => ({ texts: [text], filters: {}, order: newestFirst });

/** Number of entries of image_counts that differ from the rows. */
export async function wrongCounts(db: Database): Promise<number> {
  const [row] = await db.execute<{ wrong: number }>(sql`
    with counted as (
      select owner_id, span::int, (extract(epoch from uploaded_at) * 1000)::bigint >> span::int as place, count(*) as count
      from images cross join (values (20), (30), (63)) spans (span) group by 1, 2, 3
    )
    select count(*)::int as wrong from counted full join image_counts held using (owner_id, span, place)
    where counted.count is distinct from held.count`);
  return row?.wrong ?? 0;
}
