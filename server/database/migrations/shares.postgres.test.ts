import t from 'tap';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { beforeShares } from '../../testing/postgres/before-shares.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { accountWith } from '../../testing/share.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'album_images', 'api_tokens', 'installation'];

t.test('a database from before shares keeps all rows, and its albums and images can be shared', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const { account, ids, album } = await accountWith(before);
  const { id } = await album();
  const link = { method: 'POST', url: `/api/albums/${id}/link`, headers: account.bearer } as const;
  const albumPage = (await before.inject(link)).json().url;
  await before.close();

  await beforeShares(url);
  const kept = await keptRows(url, tables);
  const after = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept);

  t.equal((await after.inject(new URL(albumPage).pathname)).statusCode, 200, 'the album page keeps its address');
  for (const contents of [{ album: id }, { images: ids }]) {
    const call = { method: 'POST', url: '/api/shares', headers: account.bearer } as const;
    const { share } = (await after.inject({ ...call, payload: { name: 'One', ...contents } })).json();
    t.match((await after.inject(new URL(share.url).pathname)).body, 'alt="secret-name.png"');
  }
});
