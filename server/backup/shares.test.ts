import { join } from 'node:path';
import t from 'tap';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { emptied, emptyTarget, startGallery } from '../testing/collections/backup.ts';
import { accountWith, addressesOn, password, visitorOf } from '../testing/share.ts';
import { restore } from './restore/restore.ts';

const started = await startGallery(t);

const rowsOf = async (sql: typeof started.sql) => [
  ...(await sql`select to_jsonb(shares) as row from shares order by id`),
  ...(await sql`select to_jsonb(share_images) as row from share_images order by share_id, image_id`),
];

t.test('a restore brings back open and ended shares, and their passwords', async (t) => {
  const { app, sql, backUp } = await emptied(started);
  const { share, album, call } = await accountWith(app);
  const { id } = await album();
  const selected = await share({ password, short_name: 'restored-name', details: false });
  const [ofAlbum, ended] = [await share({ album: id, images: undefined, expires_in: '7d' }), await share()];
  await call('DELETE', `/${ended.id}`);
  const file = join(await temporaryFolder(t), 'backup.tar');
  await backUp(file);
  const target = await emptyTarget(t);
  await restore(target, { file });
  t.same(await rowsOf(target.sql), await rowsOf(sql));
  const restored = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  const headers = await visitorOf(restored, selected.path);
  const [url = ''] = addressesOn(await restored.inject({ url: selected.path, headers }));
  t.equal((await restored.inject({ url, headers })).statusCode, 200);
  t.equal((await restored.inject(ofAlbum.path)).statusCode, 200);
  t.equal((await restored.inject(ended.path)).statusCode, 410);
});

t.test("a backup with a share of another user's album or image is not restored", async (t) => {
  for (const kind of ['album', 'image']) {
    const { app, sql, backUp } = await emptied(started);
    const [one, other] = [await accountWith(app), await accountWith(app)];
    const { id } = await one.share();
    if (kind === 'album') await sql`update shares set album_id = ${(await other.album()).id} where id = ${id}`;
    else await sql`update share_images set image_id = ${other.ids[0] ?? ''} where share_id = ${id}`;
    const file = join(await temporaryFolder(t), 'backup.tar');
    await backUp(file);
    const target = await emptyTarget(t);
    await t.rejects(
      restore(target, { file }),
      { message: /share of an album or an image that is not its owner's/ },
      kind,
    );
    t.equal((await target.sql`select 1 from shares`).length, 0);
  }
});
