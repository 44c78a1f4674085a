import t from 'tap';
import { logIn, signIn } from '../../testing/account.ts';
import { buildTestApp, listen, testConfig } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { beforeOrphanedBlobs } from '../../testing/postgres/before-orphaned-blobs.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { askOffset, opened, sendPart } from '../../testing/tus.ts';

const tables = ['users', 'sessions', 'images', 'image_counts', 'albums', 'album_images', 'uploads', 'installation'];

t.test('a database from before orphaned_blobs got its name keeps all rows', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const account = await signIn(before);
  const files = await Promise.all(
    ['#a00', '#0a0'].map(async (colour) => ({ name: `${colour}.png`, bytes: await picture({ colour }) })),
  );
  const [image] = await storeFiles(before, account, files);
  const album = { method: 'POST', url: '/api/albums', headers: account.bearer } as const;
  const { id } = (await before.inject({ ...album, payload: { name: 'Holiday' } })).json().album;
  await before.inject({ ...album, url: `/api/albums/${id}/images`, payload: { ids: [image?.id] } });
  const upload = await opened(before, account, 1000);
  await sendPart(before, account, upload, 0, Buffer.alloc(400));
  await before.close();

  // The state that the previous release leaves, with the bytes of a killed upload.
  await beforeOrphanedBlobs(url);
  await query(url, `insert into loose_bytes (image_id, extension, process) values (gen_random_uuid(), 'png', 1)`);
  // Later migrations add columns without values.
  const kept = await keptRows(url, tables);

  const after = await buildTestApp(t, config);
  const [, , ...others] = await keptRows(url, tables);
  t.same(others, kept.slice(2), 'all rows but those that a start and a login change');
  await listen(after);
  await eventually(
    'the bytes of a dead process are swept',
    async () => (await query(url, 'select 1 from orphaned_blobs')).length === 0,
  );
  const again = await logIn(after, account);
  const list = (await after.inject({ url: '/api/images/', headers: account.bearer })).json();
  t.equal(list.total, 2, 'the session still works');
  for (const { url } of list.images) t.equal((await after.inject(new URL(url).pathname)).statusCode, 200);
  const { albums } = (await after.inject({ url: '/api/albums/', headers: again.bearer })).json();
  t.match(albums, [{ name: 'Holiday', count: 1 }]);
  t.equal((await askOffset(after, again, upload)).headers['upload-offset'], '400');
});
