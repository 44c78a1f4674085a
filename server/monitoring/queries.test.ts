import { sql } from 'drizzle-orm';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { sampleImages } from './queries.ts';

t.test('a sample of a small or large table contains old and new images', async (t) => {
  const app = await buildTestApp(t);
  const { id } = await signIn(app);
  await app.db.execute(sql`
    insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width, height, placeholder)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${id}, n::text, n::text, n::text, 'png', 'image/png', 1, '', 1, 1, ''
    from generate_series(1, 6000) n`);
  // A small table is read completely, a large one by some pages.
  for (const estimate of [4000, 6000]) {
    const numbers = (await sampleImages(app.db, estimate, 200)).map((image) => Number(image.id.slice(-12)));
    t.equal(new Set(numbers).size, 200);
    t.ok(
      numbers.some((number) => number > 5000),
      'new images',
    );
    t.ok(
      numbers.some((number) => number <= 1000),
      'old images',
    );
  }
});
