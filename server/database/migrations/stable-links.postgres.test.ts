import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { beforeStableLinks } from '../../testing/postgres/before-stable-links.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'album_images', 'ended_links', 'api_tokens', 'installation'];

t.test('a database from before stable links keeps all rows, and its images can get stable links', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const { id, bearer } = await signIn(before);
  const [image] = await storeFiles(before, { bearer }, [{ name: 'a.png', bytes: await picture() }]);
  const headers = bearer;
  const { album } = (
    await before.inject({ method: 'POST', url: '/api/albums', headers, payload: { name: 'Trip' } })
  ).json();
  await before.inject({
    method: 'POST',
    url: `/api/albums/${album.id}/images`,
    headers,
    payload: { ids: [image?.id] },
  });
  await query(url, `insert into ended_links (link_key, owner_id) values ('ended', '${id}')`);
  await before.close();

  await beforeStableLinks(url);
  const kept = await keptRows(url, tables);
  const after = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept);
  const payload = { name: 'logo', image: image?.id };
  t.match((await after.inject({ method: 'POST', url: '/api/stable-links', headers, payload })).json(), {
    stable_link: { name: 'logo', image: { id: image?.id } },
  });
});
