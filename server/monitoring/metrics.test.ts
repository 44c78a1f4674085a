/** What a scrape tells of a server at work. */

import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen, type TestOptions } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { parseMetrics, sumOf } from '../testing/metrics.ts';
import { picture } from '../testing/pictures.ts';

const scrape = async (app: FastifyInstance) => parseMetrics((await app.metrics?.())?.text ?? '');

async function openScene(t: Test, options: TestOptions = {}) {
  const app = await buildTestApp(t, { metricsPort: 0, ...options });
  const origin = await listen(app);
  return { app, origin, account: await signIn(app) };
}

t.test('nothing is counted where METRICS_PORT is not set', async (t) => {
  const app = await buildTestApp(t);
  t.equal(app.metrics, undefined);
});

t.test(
  'requests are counted by template, method and class of status, never by what stands in their paths',
  async (t) => {
    const { app, origin, account } = await openScene(t);
    const [image] = await storeFiles(app, account, [{ name: 'secret-name.png', bytes: await picture() }]);
    if (!image) throw new Error('nothing was stored');
    const link = new URL(image.url).pathname;
    t.equal((await fetch(origin + link)).status, 200);
    t.equal((await fetch(`${origin}/i/AAAAAAAAAAAAAAAAAAAAAA.png`)).status, 404);
    t.equal((await fetch(`${origin}/api/images/?search=very-private`)).status, 401);
    for (const path of ['/no/such/one', '/no/such/two']) await fetch(origin + path);
    await eventually(
      'both unknown paths in the metrics',
      async () => sumOf(await scrape(app), 'gallery_http_requests_total', { route: 'none' }) === 2,
    );
    const samples = await scrape(app);
    const count = (labels: Record<string, string>) => sumOf(samples, 'gallery_http_requests_total', labels);
    t.equal(count({ route: '/i/:name', method: 'GET', status: '2xx' }), 1);
    t.equal(count({ route: '/i/:name', method: 'GET', status: '4xx' }), 1);
    t.equal(count({ route: '/api/images', method: 'GET', status: '4xx' }), 1);
    t.equal(count({ route: '/api/images/upload', method: 'POST', status: '2xx' }), 1);
    t.equal(
      sumOf(samples, 'gallery_http_request_duration_seconds_count', { route: '/i/:name' }),
      2,
      'each with its duration',
    );
    const { text } = (await app.metrics?.()) ?? { text: '' };
    for (const secret of [link.slice(3, 20), 'secret-name', 'very-private', 'such', account.email, account.id]) {
      t.notOk(text.includes(secret), secret);
    }
  },
);

t.test('thumbnails that go the short way are counted like the others', async (t) => {
  const { app, origin, account } = await openScene(t);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const path = new URL(image?.thumbnail_url ?? '').pathname;
  const route = '/i/:linkKey/thumbnail.webp';
  const times = 20;
  let ids = 0;
  for (let time = 0; time < times; time += 1) {
    const answer = await fetch(origin + path);
    await answer.arrayBuffer();
    ids += answer.headers.get('x-request-id') ? 1 : 0;
  }
  const total = async () => sumOf(await scrape(app), 'gallery_http_requests_total', { route, status: '2xx' });
  await eventually(`${times} answers in the metrics`, async () => (await total()) >= times);
  t.equal(await total(), times);
  t.equal(ids, times, 'each with an id');
  const long = sumOf(await scrape(app), 'gallery_http_request_duration_seconds_count', { route });
  t.ok(long < times, `${long} of them went through the framework`);
  const samples = await scrape(app);
  t.ok(sumOf(samples, 'gallery_link_cache_hits_total') >= times - long);
  t.ok(sumOf(samples, 'gallery_link_cache_misses_total') >= 1);
  t.ok(sumOf(samples, 'gallery_link_cache_bytes') > 0);
  t.equal(sumOf(samples, 'gallery_link_cache_current'), 1);
  t.ok(sumOf(samples, 'gallery_data_dir_free_bytes') < sumOf(samples, 'gallery_data_dir_size_bytes'));
});

t.test('stages of an upload, calls of the storage and statements are timed; files and bytes are counted', async (t) => {
  const { app, account } = await openScene(t);
  const good = await picture({ format: 'jpeg' });
  const answer = await postFiles(app, account, [
    { name: 'a.jpg', bytes: good },
    { name: 'b.jpg', bytes: good.subarray(0, 200) },
  ]);
  t.equal(answer.statusCode, 207);
  const samples = await scrape(app);
  for (const [stage, times] of Object.entries({ receive: 2, judge: 2, decode: 2, insert: 1, keep: 2 })) {
    t.equal(sumOf(samples, 'gallery_ingest_stage_duration_seconds_count', { stage }), times, stage);
  }
  t.equal(sumOf(samples, 'gallery_images_stored_total'), 1);
  t.equal(sumOf(samples, 'gallery_images_refused_total', { code: 'DAMAGED_IMAGE' }), 1);
  t.equal(sumOf(samples, 'gallery_storage_written_bytes_total', { collection: 'originals' }), good.length);
  const kept = { operation: 'keep', collection: 'originals' };
  t.equal(sumOf(samples, 'gallery_storage_operation_duration_seconds_count', kept), 1);
  t.ok(sumOf(samples, 'gallery_database_query_duration_seconds_count') > 5);
  t.equal(sumOf(samples, 'gallery_database_queries', { state: 'waiting' }), 0);
  t.equal(sumOf(samples, 'gallery_decoder_pictures'), 0);
});

t.test('work in the queues is counted by queue and state', async (t) => {
  const { app, account } = await openScene(t, { renditionsAhead: 'on', options: { quietAfter: 600_000 } });
  await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const queued = () =>
    app.db.execute<{ count: number }>(
      sql`select count(*)::int as count from gallery_jobs.job where state < 'completed' and name <> 'dead'`,
    );
  await eventually('a queued job', async () => ((await queued().catch(() => []))[0]?.count ?? 0) > 0);
  const counted = async () => (await scrape(app)).filter(({ name }) => name === 'gallery_jobs');
  await eventually('the jobs in the metrics', async () => (await counted()).length > 0);
  const waiting = await counted();
  t.ok(waiting.every(({ labels }) => labels.queue && labels.state));
});

t.test('what is stored, due and open is told from the database', async (t) => {
  const { app, account } = await openScene(t);
  const bytes = await picture();
  await storeFiles(app, account, [{ name: 'a.png', bytes }]);
  const opened = await app.inject({
    method: 'POST',
    url: '/api/uploads/',
    headers: { ...account.bearer, 'tus-resumable': '1.0.0', 'upload-length': '1000' },
  });
  t.equal(opened.statusCode, 201);
  // The sample is taken behind a scrape.
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
  const [row] = await app.db.query.images.findMany({});
  const key = `thumbnails/${row?.id.slice(-2)}/${row?.id}.webp`;
  t.equal(sumOf(samples, 'gallery_stored_bytes', { kind: 'thumbnails' }), (await app.storage.stat(key))?.size);
  t.equal(sumOf(samples, 'gallery_stored_bytes', { kind: 'screens' }), 0);
  const asked = { operation: 'stat', collection: 'thumbnails' };
  t.equal(
    sumOf(await scrape(app), 'gallery_storage_operation_duration_seconds_count', asked),
    1,
    'by this test, not for the sample',
  );
});
