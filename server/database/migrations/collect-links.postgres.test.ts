import t from 'tap';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { addFiles, guestOf, pictures } from '../../testing/guests/collector.ts';
import { beforeCollectLinks } from '../../testing/postgres/before-collect-links.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { accountWith } from '../../testing/share.ts';
import { opened, sendPart } from '../../testing/tus.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'album_images', 'shares', 'uploads', 'installation'];

t.test('a database from before collect links keeps all rows, and guests can add to its albums', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const { account, album, share } = await accountWith(before);
  const { id } = await album();
  const { path: shared } = await share();
  const [file] = await pictures(['resumed.png']);
  const bytes = Buffer.from(file?.bytes ?? '');
  const upload = await opened(before, account, bytes.length);
  await sendPart(before, account, upload, 0, bytes.subarray(0, 40));
  await before.close();

  const kept = await keptRows(url, tables);
  await beforeCollectLinks(url);
  const after = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept);

  t.equal((await after.inject(shared)).statusCode, 200);
  t.equal((await sendPart(after, account, upload, 40, bytes.subarray(40))).statusCode, 204, 'an open upload continues');
  const call = { method: 'POST', url: '/api/collect-links', headers: account.bearer } as const;
  const made = (await after.inject({ ...call, payload: { name: 'One', album: id } })).json().collect_link;
  const { pathname } = new URL(made.url);
  const answer = await addFiles(after, pathname, await guestOf(after, pathname), await pictures(['a.png']));
  t.equal(answer.statusCode, 201);
});
