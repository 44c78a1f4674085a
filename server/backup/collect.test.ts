import { join } from 'node:path';
import t from 'tap';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { emptied, emptyTarget, startGallery } from '../testing/collections/backup.ts';
import { addFiles, collector, enter, guestOf, pictures } from '../testing/guests/collector.ts';
import { restore } from './restore/restore.ts';

const started = await startGallery(t);
const password = 'rather-a-good-one';

const rowsOf = async (sql: typeof started.sql) => [
  ...(await sql`select to_jsonb(collect_links) as row from collect_links order by id`),
  ...(await sql`select to_jsonb(collect_guests) as row from collect_guests order by id`),
  ...(await sql`select to_jsonb(collected_images) as row from collected_images order by image_id`),
  ...(await sql`select id, hidden_at, waiting from images order by id`),
];

t.test('a restore brings back links, guests with their cookies, and images that wait', async (t) => {
  const { app, sql, backUp } = await emptied(started);
  const { link, call } = await collector(app);
  const { path } = await link({ password, look_first: true, asks_name: true, expires_in: '7d' });
  const ended = await link();
  await call('DELETE', `/${ended.id}`);
  const guest = await guestOf(app, path, { password, name: 'Amira' });
  await addFiles(app, path, guest, await pictures(['a.png']));
  const file = join(await temporaryFolder(t), 'backup.tar');
  await backUp(file);
  const target = await emptyTarget(t);
  await restore(target, { file });
  t.same(await rowsOf(target.sql), await rowsOf(sql));
  const restored = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  t.match((await restored.inject({ url: `${path}/images`, headers: guest })).json(), { total: 1 });
  t.equal((await enter(restored, path, { password: 'wrong', name: 'x' })).statusCode, 403);
  t.equal((await restored.inject(`${ended.path}/link`)).statusCode, 410);
});

t.test("a backup with a collect link for another user's album or with their image is not restored", async (t) => {
  for (const kind of ['album', 'image']) {
    const { app, sql, backUp } = await emptied(started);
    const [one, other] = [await collector(app), await collector(app)];
    const [{ path, id }, theirs] = [await one.link(), await other.link()];
    for (const at of [path, theirs.path]) await addFiles(app, at, await guestOf(app, at), await pictures(['a.png']));
    if (kind === 'album') await sql`update collect_links set album_id = ${other.album} where id = ${id}`;
    else await sql`update collected_images set link_id = ${id} where link_id = ${theirs.id}`;
    const file = join(await temporaryFolder(t), 'backup.tar');
    await backUp(file);
    const target = await emptyTarget(t);
    await t.rejects(restore(target, { file }), { message: /collect link with an album or an image that is not/ }, kind);
    t.equal((await target.sql`select 1 from collect_links`).length, 0);
  }
});

t.test('an image that a backup lets wait in the open is hidden by the restore', async (t) => {
  const { app, sql, backUp } = await emptied(started);
  const { link } = await collector(app);
  const { path } = await link({ look_first: true });
  await addFiles(app, path, await guestOf(app, path), await pictures(['a.png']));
  const constraint = 'images_waiting_hidden';
  await t.rejects(async () => sql`update images set hidden_at = null`, { message: new RegExp(constraint) });
  await sql`alter table images drop constraint ${sql(constraint)}`;
  await sql`update images set hidden_at = null`;
  const file = join(await temporaryFolder(t), 'backup.tar');
  await backUp(file);
  const target = await emptyTarget(t);
  await restore(target, { file });
  t.equal((await target.sql`select 1 from images where waiting and hidden_at is not null`).length, 1);
});
