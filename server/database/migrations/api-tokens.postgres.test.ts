import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise, picture } from '../../testing/pictures.ts';
import { beforeApiTokens } from '../../testing/postgres/before-api-tokens.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { askOutcome, opened, sendPart } from '../../testing/tus.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'album_images', 'uploads', 'installation'];

t.test('a database from before API tokens keeps all rows, and its open uploads continue', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const account = await signIn(before);
  const [image] = await storeFiles(before, account, [{ name: 'a.png', bytes: await picture() }]);
  const call = { method: 'POST', url: '/api/albums', headers: account.bearer } as const;
  const { id } = (await before.inject({ ...call, payload: { name: 'Holiday' } })).json().album;
  await before.inject({ ...call, url: `/api/albums/${id}/images`, payload: { ids: [image?.id] } });
  const bytes = await noise(40, 30, 'png');
  const upload = await opened(before, account, bytes.length);
  await sendPart(before, account, upload, 0, bytes.subarray(0, 400));
  await before.close();

  await beforeApiTokens(url);
  const kept = await keptRows(url, tables);
  const after = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept);

  await sendPart(after, account, upload, 400, bytes.subarray(400));
  t.match((await askOutcome(after, account, upload)).json(), { state: 'stored' });
  const { bearer } = await createApiToken(after, account, ['albums:read'], { album: id });
  t.equal((await after.inject({ url: `/api/albums/${id}`, headers: bearer })).json().total, 1);
});
