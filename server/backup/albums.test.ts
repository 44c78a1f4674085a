import { join } from 'node:path';
import t, { type Test } from 'tap';
import { logIn, signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { emptied, emptyTarget, type Gallery, type RestoreTarget, startGallery } from '../testing/collections/backup.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { restore } from './restore/restore.ts';
import { verifyBackup } from './verify.ts';

const started = await startGallery(t);

async function withAlbum(t: Test) {
  const gallery = await emptied(started);
  const { app, account } = gallery;
  const files = [1, 2, 3].map(async (number) => ({
    name: `${number}.png`,
    bytes: await noise(40, 30 + number, 'png'),
  }));
  const ids = (await storeFiles(app, account, await Promise.all(files))).map(({ id }) => id);
  const call = async (method: 'POST' | 'PATCH', path: string, payload?: object) =>
    (
      await app.inject({ method, url: `/api/albums/${path}`, headers: account.bearer, ...(payload ? { payload } : {}) })
    ).json();
  await call('POST', '', { name: 'Empty' });
  const { album } = await call('POST', '', { name: 'رحلة <b>' });
  await call('POST', `${album.id}/images`, { ids: ids.toReversed() });
  await call('PATCH', album.id, { cover: ids[1] });
  const { url } = await call('POST', `${album.id}/link`);
  const file = join(await temporaryFolder(t), 'backup.tar');
  return { gallery, album, ids, file, link: new URL(url).pathname };
}

const albumRows = async ({ sql }: Gallery | RestoreTarget) => ({
  albums: [...(await sql`select to_jsonb(albums) as row from albums order by id`)],
  images: [...(await sql`select to_jsonb(album_images) as row from album_images order by album_id, image_id`)],
});

t.test('a restore brings back the names, order, covers and links of albums', async (t) => {
  const { gallery, album, ids, file } = await withAlbum(t);
  await gallery.backUp(file);
  t.match(await verifyBackup({ file }), { snapshots: 1, problems: 0 });
  const target = await emptyTarget(t);
  await restore(target, { file });
  const rows = await albumRows(target);
  t.same([rows.albums.length, rows.images.length], [2, 3]);
  t.same(rows, await albumRows(gallery));
  const app = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  const account = await logIn(app, gallery.account);
  const page = (await app.inject({ url: `/api/albums/${album.id}`, headers: account.bearer })).json();
  t.match(page, { album: { name: 'رحلة <b>', cover: ids[1], count: 3 }, total: 3 });
  t.same(
    page.images.map(({ id }: { id: string }) => id),
    ids.toReversed(),
  );
});

t.test('an image deleted during a backup is missing only from its album', async (t) => {
  const { gallery, ids, file } = await withAlbum(t);
  let gone = false;
  const result = await gallery.backUp(file, {
    async onRead() {
      if (gone) return;
      gone = true;
      const url = `/api/images/delete/${ids[2]}`;
      await gallery.app.inject({ method: 'DELETE', url, headers: gallery.account.bearer });
    },
  });
  t.equal(result.deleted, 1);
  const target = await emptyTarget(t);
  await restore(target, { file });
  const rows = await target.sql`select image_id::text as id from album_images order by position`;
  t.same(
    rows.map(({ id }) => id),
    [ids[1], ids[0]],
  );
});

t.test("a backup whose album contains another user's image is not restored", async (t) => {
  const { gallery, album, file } = await withAlbum(t);
  const other = await signIn(gallery.app);
  const [theirs] = await storeFiles(gallery.app, other, [{ name: 'a.png', bytes: await noise(30, 30, 'png') }]);
  await gallery.sql`insert into album_images (album_id, image_id, owner_id, position)
    values (${album.id}, ${theirs?.id ?? ''}, ${gallery.account.id}, 1)`;
  await gallery.backUp(file);
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file }), { message: /album with an image that is not its owner's/ });
  t.equal((await target.sql`select 1 from images`).length, 0);
});
