/**
 * Measures lists and searches of one owner's million among three million images: each page and search in psql and over
 * HTTP, and list calls a second against pgbench. `--images=<n>` seeds a smaller gallery.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionAccount } from '../server/auth/queries.ts';
import { farPage, nearPage } from '../server/gallery/pages.ts';
import { lookUp, walk } from '../server/gallery/search.ts';
import { freePort } from '../server/testing/free-port.ts';
import { type Bench, pairs } from './bench.ts';
import { type Figure, spreadOf } from './figure.ts';
import { signIn } from './product/account.ts';
import { startServer } from './product/bench-server.ts';
import { seed } from './product/gallery-seed.ts';
import { type Cluster, startCluster } from './tools/postgres.ts';
import { askAs } from './tools/wrk.ts';

const size = 24;
/** The size of the server's pool. */
const connections = 10;
const seconds = 8;
/** Calls of each kind in a round; their median counts. */
const repeats = 9;

type Value = string | number;
const quoted = (value: Value) => (typeof value === 'number' ? value : `'${value.replaceAll("'", "''")}'`);

/** @returns milliseconds of a statement in psql: prepared, then executed repeatedly */
async function inPostgres({ run }: Cluster, text: string, values: Value[], settings = ''): Promise<number> {
  const execute = `execute asked (${values.map(quoted).join(', ')});\n`;
  const script = `${settings}\n\\o /dev/null\nprepare asked as ${text};\n${execute.repeat(6)}\\timing on\n${execute.repeat(repeats)}`;
  const output = await run('psql', ['-qX', 'postgres'], script);
  return spreadOf([...output.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, ms]) => Number(ms))).median;
}

type Caller = { origin: string; token: string };
type Answer = { total: number; total_is_estimate: boolean; images: object[] };

async function call({ origin, token }: Caller, query: string): Promise<{ ms: number; answer: Answer }> {
  const start = performance.now();
  const response = await fetch(`${origin}/api/images/?${query}`, { headers: { authorization: `Bearer ${token}` } });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${query} answered ${response.status}`);
  return { ms: performance.now() - start, answer };
}

async function overHttp(caller: Caller, query: string): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < repeats; number += 1) times.push((await call(caller, query)).ms);
  return spreadOf(times).median;
}

async function pages(bench: Bench, cluster: Cluster, caller: Caller, ownerId: string, count: number) {
  const last = Math.ceil(count / size);
  const figures: Figure[] = [];
  for (const [name, page] of [
    ['first page', 1],
    ['middle page', Math.ceil(last / 2)],
    ['last page', last],
  ] as const) {
    const before = (page - 1) * size;
    const text = before <= 500 ? nearPage : farPage;
    const rounds = await pairs(
      bench.rounds,
      () => overHttp(caller, `page=${page}`),
      () => inPostgres(cluster, text, [ownerId, before, size]),
    );
    figures.push({
      name: `${name}, in Postgres`,
      unit: 'ms',
      goal: { atMost: 5 },
      rounds: rounds.map(({ limit }) => ({ ours: limit })),
    });
    figures.push({ name: `${name}, the call`, unit: 'ms', against: 'psql', goal: { atMost: 10, of: 'ours' }, rounds });
  }
  return figures;
}

/** The planner settings of the server's own search by index. */
const byIndex = 'set enable_seqscan = off; set enable_indexscan = off; set plan_cache_mode = force_custom_plan;';
const searches = [
  ['no match', 'zzzz'],
  ['some hundred matches', 'img_123'],
  ['some thousand matches', 'berlin'],
  ['more than are counted', 'summer'],
  ['most match', '.jpg'],
] as const;

async function searching(bench: Bench, cluster: Cluster, caller: Caller, ownerId: string) {
  const figures: Figure[] = [];
  for (const [name, text] of searches) {
    const { answer } = await call(caller, `search=${encodeURIComponent(text)}`);
    const told = `${answer.total_is_estimate ? 'about ' : ''}${answer.total}`;
    const along = answer.total_is_estimate;
    const ask = (most: number) =>
      along
        ? inPostgres(cluster, walk, [ownerId, text, most, 0, size])
        : inPostgres(cluster, lookUp, [ownerId, text, most, 0, size], byIndex);
    const rounds = await pairs(
      bench.rounds,
      () => overHttp(caller, `search=${encodeURIComponent(text)}`),
      () => ask(10_001),
    );
    const alone: { ours: number }[] = [];
    for (let round = 0; round < bench.rounds; round += 1) alone.push({ ours: await ask(along ? size + 1 : 10_001) });
    figures.push({ name: `search, ${name}: page, in Postgres`, unit: 'ms', goal: { atMost: 20 }, rounds: alone });
    figures.push({
      name: `search, ${name} (${told}): the call`,
      unit: 'ms',
      against: 'page and count in psql',
      rounds,
    });
  }
  return figures;
}

/** @returns answered calls a second by wrk */
async function listCalls({ origin, token }: Caller): Promise<number> {
  return (await askAs({ token, connections, seconds }, `${origin}/api/images/`)).aSecond;
}

/** Starts the bare server, the limit of one Node process. @returns its origin */
async function startBare(bench: Bench, [url, ...ids]: [string, string, string]): Promise<string> {
  const port = await freePort();
  const program = join(import.meta.dirname, 'limits', 'bare-list.js');
  const child = spawn(process.execPath, [program, url, `${port}`, ...ids], { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  bench.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(origin).catch(() => undefined))) await sleep(20);
  return origin;
}

/** Runs the two statements of a call with pgbench over as many connections. */
async function pgbench(bench: Bench, { run }: Cluster, sessionId: string, ownerId: string) {
  const path = join(await bench.folder(), 'list.sql');
  const statement = (text: string, values: Value[]) =>
    `${values.reduceRight<string>((all, value, index) => all.replaceAll(`$${index + 1}`, `${quoted(value)}`), text).replace(/\s+/g, ' ')};\n`;
  await writeFile(path, statement(sessionAccount, [sessionId]) + statement(nearPage, [ownerId, 0, size]));
  return async () => {
    const words = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds), '-f', path];
    return Number(/tps = ([\d.]+)/.exec(await run('pgbench', [...words, 'postgres']))?.[1]);
  };
}

export async function measure(bench: Bench): Promise<Figure[]> {
  const images = Number(bench.options.images ?? 1_000_000);
  const cluster = await startCluster(bench);
  const server = await startServer(bench, { environment: { DATABASE_URL: cluster.url } });
  const caller = { origin: server.origin, token: await signIn(server.origin) };
  const claims = JSON.parse(Buffer.from(caller.token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  bench.say(`seeding ${3 * images} rows, ${images} of one owner; some minutes`);
  const start = performance.now();
  await cluster.run('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', 'postgres'], seed(claims.sub, images));
  bench.say(`seeded in ${Math.round((performance.now() - start) / 1000)} s`);
  const { answer } = await call(caller, 'page=1');
  if (answer.total !== images) throw new Error(`the list says ${answer.total} images`);

  const figures = await pages(bench, cluster, caller, claims.sub, images);
  figures.push(...(await searching(bench, cluster, caller, claims.sub)));
  const limit = await pgbench(bench, cluster, claims.sid, claims.sub);
  await Promise.all([listCalls(caller), limit()]);
  const rounds = await pairs(bench.rounds, () => listCalls(caller), limit);
  figures.push({ name: 'list calls', unit: '1/s', against: 'pgbench', goal: { atLeast: 0.5 }, rounds });
  const bare = { origin: await startBare(bench, [cluster.url, claims.sid, claims.sub]), token: '' };
  await listCalls(bare);
  const bareRounds = await pairs(bench.rounds, () => listCalls(bare), limit);
  figures.push({ name: 'the same by a bare server', unit: '1/s', against: 'pgbench', rounds: bareRounds });
  return figures;
}
