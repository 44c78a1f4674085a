import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { parseDatabaseUrl } from '../address.ts';
import { openClient } from '../client.ts';
import { knownMigrations, migrateWithin } from '../migrations/migrate-to.ts';

t.test('images of the previous version are kept and not marked as sealed', async (t) => {
  const { url } = await createTestDatabase(t);
  const sql = openClient(parseDatabaseUrl(url), { max: 1 });
  t.teardown(() => sql.end({ timeout: 5 }));
  await sql.unsafe('drop schema if exists drizzle cascade; drop schema public cascade; create schema public');
  const levels = knownMigrations().map(({ level }) => level);
  const added = knownMigrations().findIndex(({ statements }) => statements.some((text) => text.includes('"sealed"')));
  const [before = 0, after = 0] = [levels[added - 1], levels[added]];
  await sql.begin((tx) => migrateWithin(tx, 0, before));

  const owner = randomUUID();
  await sql`insert into users (id, username, username_key, email, email_key, password_hash)
    values (${owner}, 'early', 'early', 'e@example.com', 'e@example.com', 'x')`;
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const id of ids) {
    await sql`insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width, height, placeholder)
      values (${id}, ${owner}, ${id.slice(0, 22)}, 'a.jpg', 'a.jpg', 'jpg', 'image/jpeg', 10, ${'0'.repeat(64)}, 1, 1, 'AAAA')`;
  }
  await sql.begin((tx) => migrateWithin(tx, before, after));
  const rows = await sql`select id, sealed, renditions_sealed from images order by id`;
  t.same(
    [...rows],
    ids.toSorted().map((id) => ({ id, sealed: false, renditions_sealed: false })),
  );
});
