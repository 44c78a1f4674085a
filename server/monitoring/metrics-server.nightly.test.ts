/** METRICS_PORT of a complete server. */
import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { parseMetrics, sumOf } from '../testing/metrics.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { type Running, startProcess, startServer } from '../testing/processes.ts';

t.setTimeout(120_000);

const environment = async (t: Test) => ({
  DATA_DIR: temporaryFolder(t),
  DATABASE_URL: (await createTestDatabase(t)).url,
});

async function addressOf(server: Running): Promise<string> {
  const found = () => /metrics at (http:\S+?)(?:"|\n)/.exec(server.stdout() + server.stderr())?.[1];
  return eventually('the address of the metrics', found);
}

const scrape = async (address: string) => parseMetrics(await (await fetch(address)).text());

t.test('without METRICS_PORT no metrics port is opened', async (t) => {
  const server = await startServer(t, await environment(t));
  t.notMatch(server.stdout(), /metrics at/);
});

t.test('METRICS_PORT answers only /metrics, and the main port does not', async (t) => {
  const server = await startServer(t, { ...(await environment(t)), METRICS_PORT: '0' });
  const address = await addressOf(server);
  const answer = await fetch(address);
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  const samples = parseMetrics(await answer.text());
  t.ok(sumOf(samples, 'process_resident_memory_bytes') > 0);
  t.ok(samples.some(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds'));
  t.equal(sumOf(samples, 'gallery_build_info', { node: process.version }), 1);
  t.equal((await fetch(new URL('/', address))).status, 404);
  t.equal((await fetch(new URL('/api/health/live', address))).status, 404);
  t.equal((await fetch(address, { method: 'POST' })).status, 405);
  t.equal((await fetch(`${server.origin}/metrics`)).status, 404, 'the main port has no metrics');
  t.equal(await server.stop(), 0);
});

t.test('a used METRICS_PORT stops the start with one line', async (t) => {
  const first = await startServer(t, { ...(await environment(t)), METRICS_PORT: '0' });
  const { port } = new URL(await addressOf(first));
  const second = startProcess(t, 'main', [], {
    ...(await environment(t)),
    PORT: '0',
    LOG_LEVEL: 'silent',
    METRICS_PORT: port,
  });
  t.equal(await second.ended, 1);
  t.match(second.stderr(), /^METRICS_HOST 127\.0\.0\.1 and METRICS_PORT \d+ cannot be listened on[^\n]*\n$/);
});

t.test('with WORKERS the primary reports the aggregate of all workers', async (t) => {
  const server = await startServer(t, {
    ...(await environment(t)),
    METRICS_PORT: '0',
    WORKERS: '2',
    CACHE_SIZE: '1MB',
  });
  const address = await addressOf(server);
  const workers = async () => sumOf(await scrape(address), 'gallery_database_pool_connections');
  const both = 20;
  await eventually('both workers in the metrics', async () => (await workers()) === both);
  for (let time = 0; time < 10; time += 1) {
    await fetch(`${server.origin}/api/health/live`, { headers: { connection: 'close' } });
  }
  const count = async () => sumOf(await scrape(address), 'gallery_http_requests_total', { route: '/api/health/live' });
  await eventually('ten calls in the metrics', async () => (await count()) === 10);
  const samples = await scrape(address);
  t.equal(sumOf(samples, 'gallery_workers'), 2);
  t.equal(sumOf(samples, 'gallery_workers_wanted'), 2, 'shared values are not summed');
  t.equal(sumOf(samples, 'gallery_build_info'), 1);
  t.equal(sumOf(samples, 'gallery_link_cache_max_bytes'), 1_000_000, 'each worker has a part of CACHE_SIZE');
  t.equal(await server.stop(), 0);
});

t.test('counters never fall when a worker hangs, ends or starts', async (t) => {
  const server = await startServer(t, { ...(await environment(t)), METRICS_PORT: '0', WORKERS: '2' });
  const address = await addressOf(server);
  const pids = () =>
    [...server.stdout().matchAll(/"pid":(\d+),[^\n]*"msg":"Server listening/g)].map(([, pid]) => Number(pid));
  const call = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await fetch(`${server.origin}/api/health/live`, { headers: { connection: 'close' } });
    }
  };
  async function look() {
    const answer = await fetch(address);
    if (answer.status !== 200) throw new Error(`a scrape was answered with ${answer.status}`);
    const samples = parseMetrics(await answer.text());
    return {
      workers: sumOf(samples, 'gallery_workers'),
      calls: sumOf(samples, 'gallery_http_requests_total', { route: '/api/health/live' }),
    };
  }
  const settled = (workers: number, calls: number) =>
    eventually(`${workers} workers and ${calls} calls in the metrics`, async () => {
      const seen = await look();
      return seen.workers === workers && seen.calls === calls;
    });
  await eventually('two workers in the metrics', async () => sumOf(await scrape(address), 'gallery_workers') === 2);
  await call(10);
  await settled(2, 10);

  const [hangs = 0, killed = 0] = pids();
  process.kill(hangs, 'SIGSTOP');
  t.same(await look(), { workers: 1, calls: 10 }, 'the counts of a hanging worker remain');
  process.kill(hangs, 'SIGCONT');
  await settled(2, 10);

  process.kill(killed, 'SIGKILL');
  await eventually('the end of the killed worker in the log', () =>
    /exited unexpectedly \(SIGKILL\)/.test(server.stderr()),
  );
  const seen = new Set<number>();
  await eventually('two workers in the metrics', async () => {
    const { workers, calls } = await look();
    seen.add(calls);
    return workers === 2;
  });
  t.same([...seen], [10], 'the counts of a killed worker remain');

  await call(5);
  server.child.kill('SIGHUP');
  await eventually('all workers are replaced', () => server.stderr().includes('All workers are replaced.'));
  t.same(await look(), { workers: 2, calls: 15 }, 'workers report their last counts when they end');
  t.equal(await server.stop(), 0);
});
