/** Scrapes of a working server. */
import { spawnSync } from 'node:child_process';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { parseMetrics, sumOf } from '../testing/metrics.ts';
import { picture } from '../testing/pictures.ts';

const isInstalled = spawnSync('promtool', ['--version']).status === 0;
const skip = isInstalled ? false : 'promtool is not installed (Debian: the package prometheus)';

const scrape = async (app: FastifyInstance) => parseMetrics((await app.metrics?.())?.text ?? '');

const app = await buildTestApp(t, { metricsPort: 0 });
const origin = await listen(app);

/** @returns a function that reads how much a metric has grown since now */
async function countFrom(): Promise<(name: string, labels?: Record<string, string>) => Promise<number>> {
  const before = await scrape(app);
  return async (name, labels) => sumOf(await scrape(app), name, labels) - sumOf(before, name, labels);
}

t.test(
  'requests are counted by route template, method and status class, without anything from their paths',
  async (t) => {
    const account = await signIn(app);
    const count = await countFrom();
    const [image] = await storeFiles(app, account, [{ name: 'secret-name.png', bytes: await picture() }]);
    if (!image) throw new Error('nothing was stored');
    const link = new URL(image.url).pathname;
    t.equal((await fetch(origin + link)).status, 200);
    t.equal((await fetch(`${origin}/i/AAAAAAAAAAAAAAAAAAAAAA.png`)).status, 404);
    t.equal((await fetch(`${origin}/api/images/?search=very-private`)).status, 401);
    for (const path of ['/no/such/one', '/no/such/two']) await fetch(origin + path);
    const requests = (labels: Record<string, string>) => count('gallery_http_requests_total', labels);
    await eventually('both unknown paths in the metrics', async () => (await requests({ route: 'none' })) === 2);
    t.equal(await requests({ route: '/i/:name', method: 'GET', status: '2xx' }), 1);
    t.equal(await requests({ route: '/i/:name', method: 'GET', status: '4xx' }), 1);
    t.equal(await requests({ route: '/api/images', method: 'GET', status: '4xx' }), 1);
    t.equal(await requests({ route: '/api/images/upload', method: 'POST', status: '2xx' }), 1);
    const durations = await count('gallery_http_request_duration_seconds_count', { route: '/i/:name' });
    t.equal(durations, 2, 'each request has a duration');
    const { text } = (await app.metrics?.()) ?? { text: '' };
    for (const secret of [link.slice(3, 20), 'secret-name', 'very-private', 'such', account.email, account.id]) {
      t.notOk(text.includes(secret), secret);
    }
  },
);

t.test('cached thumbnails are counted like other requests', async (t) => {
  const count = await countFrom();
  const [image] = await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  const path = new URL(image?.thumbnail_url ?? '').pathname;
  const route = '/i/:linkKey/thumbnail.webp';
  const times = 20;
  let ids = 0;
  for (let time = 0; time < times; time += 1) {
    const answer = await fetch(origin + path);
    await answer.arrayBuffer();
    ids += answer.headers.get('x-request-id') ? 1 : 0;
  }
  const total = () => count('gallery_http_requests_total', { route, status: '2xx' });
  await eventually(`${times} answers in the metrics`, async () => (await total()) >= times);
  t.equal(await total(), times);
  t.equal(ids, times, 'each response has an id');
  t.equal(await count('gallery_http_request_duration_seconds_count', { route }), times);
  t.ok((await count('gallery_link_cache_hits_total')) >= 1);
  t.ok((await count('gallery_link_cache_misses_total')) >= 1);
  const samples = await scrape(app);
  t.ok(sumOf(samples, 'gallery_link_cache_bytes') > 0);
  t.equal(sumOf(samples, 'gallery_link_cache_current'), 1);
  t.ok(sumOf(samples, 'gallery_data_dir_free_bytes') < sumOf(samples, 'gallery_data_dir_size_bytes'));
});

t.test('upload stages, storage calls and statements are timed, and files and bytes are counted', async (t) => {
  const account = await signIn(app);
  const count = await countFrom();
  const good = await picture({ format: 'jpeg' });
  const answer = await postFiles(app, account, [
    { name: 'a.jpg', bytes: good },
    { name: 'b.jpg', bytes: good.subarray(0, 200) },
  ]);
  t.equal(answer.statusCode, 207);
  for (const [stage, times] of Object.entries({ receive: 2, judge: 2, decode: 2, insert: 1, keep: 2 })) {
    t.equal(await count('gallery_ingest_stage_duration_seconds_count', { stage }), times, stage);
  }
  t.equal(await count('gallery_images_stored_total'), 1);
  t.equal(await count('gallery_images_refused_total', { code: 'DAMAGED_IMAGE' }), 1);
  t.equal(await count('gallery_storage_written_bytes_total', { collection: 'originals' }), good.length);
  const kept = { operation: 'keep', collection: 'originals' };
  t.equal(await count('gallery_storage_operation_duration_seconds_count', kept), 1);
  t.ok((await count('gallery_database_query_duration_seconds_count')) > 5);
  const samples = await scrape(app);
  t.equal(sumOf(samples, 'gallery_database_queries', { state: 'waiting' }), 0);
  t.equal(sumOf(samples, 'gallery_decoder_pictures'), 0);
});

t.test('promtool check metrics reports nothing for a working server', { skip }, async (t) => {
  await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  const { text: input = '' } = (await app.metrics?.()) ?? {};
  t.match(input, /^gallery_images_stored_total [1-9]/m);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  t.equal(stdout + stderr, '');
  t.equal(status, 0);
});

t.test('stored images, due renditions, jobs and open uploads are read from the database', async (t) => {
  // The figures are cached, so they must be right in the first scrape.
  const app = await buildTestApp(t, { metricsPort: 0, renditionsAhead: 'on', options: { idleAfter: 600_000 } });
  const account = await signIn(app);
  const bytes = await picture();
  await storeFiles(app, account, [{ name: 'a.png', bytes }]);
  const opened = await app.inject({
    method: 'POST',
    url: '/api/uploads/',
    headers: { ...account.bearer, 'tus-resumable': '1.0.0', 'upload-length': '1000' },
  });
  t.equal(opened.statusCode, 201);
  // The sample is taken in the background after a scrape.
  await eventually(
    'the stored thumbnail in the metrics',
    async () => sumOf(await scrape(app), 'gallery_stored_bytes', { kind: 'thumbnails' }) > 0,
  );
  const samples = await scrape(app);
  t.equal(sumOf(samples, 'gallery_accounts'), 1);
  t.equal(sumOf(samples, 'gallery_images'), 1);
  t.equal(sumOf(samples, 'gallery_renditions_due'), 1);
  t.equal(sumOf(samples, 'gallery_uploads_open'), 1);
  t.equal(sumOf(samples, 'gallery_stored_bytes', { kind: 'originals' }), bytes.length);
  t.equal(sumOf(samples, 'gallery_jobs', { queue: 'renditions', state: 'created' }), 1);
  const [row] = await app.db.query.images.findMany({});
  const key = `thumbnails/${row?.id.slice(-2)}/${row?.id}.webp`;
  t.equal(sumOf(samples, 'gallery_stored_bytes', { kind: 'thumbnails' }), (await app.storage.stat(key))?.size);
  t.equal(sumOf(samples, 'gallery_stored_bytes', { kind: 'screens' }), 0);
  const asked = { operation: 'stat', collection: 'thumbnails' };
  t.equal(
    sumOf(await scrape(app), 'gallery_storage_operation_duration_seconds_count', asked),
    1,
    'counted for this test, not for the sample',
  );
});
