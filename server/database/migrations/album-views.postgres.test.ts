import t from 'tap';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { beforeAlbumViews } from '../../testing/postgres/before-album-views.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { accountWith } from '../../testing/share.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'album_images', 'shares', 'collect_links', 'installation'];

t.test('a database from before views of albums keeps all rows, and the pages keep their links', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const { account, album } = await accountWith(before);
  const { id } = await album('Trip');
  const headers = account.bearer;
  const link = (await before.inject({ method: 'POST', url: `/api/albums/${id}/link`, headers })).json().url;
  await before.close();

  await beforeAlbumViews(url);
  const kept = await keptRows(url, tables);
  const after = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept);
  t.same(await query(url, 'select link_views from albums'), [{ link_views: '0' }]);
  t.equal((await after.inject(new URL(link).pathname)).statusCode, 200);
});
