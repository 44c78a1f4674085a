import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, listen, testConfig } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { storeFiles } from '../../testing/form.ts';
import { grainyPhotograph } from '../../testing/pictures.ts';
import { beforeBackgroundJobs } from '../../testing/postgres/before-background-jobs.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';

const tables = ['users', 'images', 'image_counts', 'uploads', 'installation'];

t.test('the jobs in the queues of the previous version are done after the upgrade', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const account = await signIn(before);
  const files = [1, 2].map(async (seed) => ({ name: `${seed}.jpg`, bytes: await grainyPhotograph(1640, 80, seed) }));
  await storeFiles(before, account, await Promise.all(files));
  await before.close();

  await beforeBackgroundJobs(url);
  await query(url, `insert into orphaned_blobs (image_id, extension, process) values (gen_random_uuid(), 'png', 1)`);
  const kept = await keptRows(url, tables);
  t.equal((await query(url, 'select 1 from gallery_jobs.job')).length, 8);

  const upgraded = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept, 'all rows are kept');
  t.same(await query(url, `select to_regnamespace('gallery_jobs') as queues`), [{ queues: null }]);
  await listen(upgraded);
  await eventually(
    'the bytes of a dead process are swept',
    async () => (await query(url, 'select 1 from orphaned_blobs')).length === 0,
  );
  await upgraded.close();

  await buildTestApp(t, { ...config, renditionsAhead: 'on', options: { idleAfter: 0 } });
  await eventually(
    'all due renditions are made',
    async () => (await query(url, 'select 1 from images where renditions_due')).length === 0,
  );
  t.equal((await query(url, 'select 1 from images where screen_avif_sha256 is not null')).length, 2);
});
