import { join } from 'node:path';
import t from 'tap';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { emptyTarget, startGallery } from '../testing/collections/backup.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { restore } from './restore/restore.ts';

t.test('a restore keeps ends and delete links, and brings no expired link back', async (t) => {
  const gallery = await startGallery(t);
  const file = { name: 'a.png', bytes: await picture() };
  const query = '?expires_in=1h&delete_link=1';
  const [image] = await storeFiles(gallery.app, gallery.account, [file], { query });
  const [expired] = await storeFiles(gallery.app, gallery.account, [file], { query });
  await gallery.sql`update images set expires_at = now() where id = ${expired?.id ?? ''}`;
  const archive = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(archive);

  const target = await emptyTarget(t);
  await restore(target, { file: archive });
  const restored = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  const statusOf = async (url = '', method: 'GET' | 'DELETE' = 'GET') =>
    (await restored.inject({ method, url: new URL(url).pathname })).statusCode;
  t.equal(await statusOf(expired?.url), 410);
  t.equal(await statusOf(expired?.delete_url), 404);
  t.equal(await statusOf(image?.url), 200);
  await restored.sweeps.run();
  const rows = await target.sql`select expires_at as end from images`;
  t.same(
    rows.map(({ end }) => new Date(end).toISOString()),
    [image?.expires_at],
  );
  t.equal(await statusOf(expired?.url), 410);
  t.equal(await statusOf(image?.delete_url, 'DELETE'), 204);
  t.equal(await statusOf(image?.url), 404);
});
