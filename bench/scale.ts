/**
 * Measures list calls and uploads a second: one process on one core, with its decoders, Postgres and client, against two
 * processes on two cores. `--part=lists`, `proxy` or `uploads` measures one part. See README.md.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Bench, type Measure, pairs } from './bench.ts';
import type { Figure, Goal } from './figure.ts';
import { startBareLoop } from './limits/bare-loop.ts';
import { type Photograph, photographs } from './pictures/photographs.ts';
import { pin } from './processes/cores.ts';
import { childrenOf } from './processes/processes.ts';
import { signIn } from './product/account.ts';
import { type BenchServer, startServer } from './product/bench-server.ts';
import { seed } from './product/gallery-seed.ts';
import { type Cluster, startCluster } from './tools/postgres.ts';
import { startProxy } from './tools/proxy.ts';
import { tool } from './tools/tools.ts';
import { askAs } from './tools/wrk.ts';

const images = 10_000;
const listSeconds = 5;
/** Per process: connections of list calls, and simultaneous uploads. */
const connections = 10;
const atOnce = 4;
const uploadsEach = 20;

/** A number of processes on as many cores. */
type Scene = { processes: number; cores: string; origin: string };

type Scenes = Record<'one' | 'two' | 'oneProxied' | 'twoProxied', Scene> & { token: string; cluster: Cluster };

async function startScenes(bench: Bench): Promise<Scenes> {
  const cluster = await startCluster(bench);
  const dataDir = await bench.folder();
  const environment = {
    DATABASE_URL: cluster.url,
    JWT_SECRET: 'the same secret for all processes of this bench',
    TRUST_PROXY: '127.0.0.1',
    RENDITIONS_AHEAD: 'off',
  };
  const start = async (cores: string, more: Record<string, string> = {}) => {
    const server = await startServer(bench, { dataDir, environment: { ...environment, ...more } });
    pin(server.pid, cores);
    return server;
  };
  const behindProxy = async (cores: string, servers: BenchServer[]): Promise<Scene> => {
    const proxy = await startProxy(
      await bench.folder(),
      servers.map(({ origin }) => origin),
    );
    bench.after(proxy.stop);
    pin(proxy.pid, cores);
    return { processes: servers.length, cores, origin: proxy.origin };
  };
  const alone = await start('0');
  const token = await signIn(alone.origin);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  await cluster.run('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', 'postgres'], seed(claims.sub, images));
  const workers = await start('0,1', { WORKERS: '2' });
  // Each worker stays on one core, like the two servers: on the other core its caches would be cold.
  const own = childrenOf(workers.pid);
  if (own.length !== 2) throw new Error(`WORKERS=2 started ${own.length} processes`);
  for (const [core, pid] of own.entries()) pin(pid, String(core));
  const pair = [await start('0'), await start('1')];
  return {
    cluster,
    token,
    one: { processes: 1, cores: '0', origin: alone.origin },
    two: { processes: 2, cores: '0,1', origin: workers.origin },
    oneProxied: await behindProxy('0', [alone]),
    twoProxied: await behindProxy('0,1', pair),
  };
}

/** Moves the shared Postgres to the cores of the measured scene. */
const use = ({ cluster }: Scenes, { cores }: Scene) => pin(cluster.pid, cores);

/** @returns answered calls a second by wrk */
async function listCalls(scenes: Scenes, scene: Scene): Promise<number> {
  use(scenes, scene);
  const { processes: threads, cores, origin } = scene;
  const load = { token: scenes.token, connections: connections * threads, seconds: listSeconds, threads, cores };
  return (await askAs(load, `${origin}/api/images/`)).aSecond;
}

export type UploadWork = { origin: string; atOnce: number; paths: string[]; variation: number };

let variation = 0;

/** @returns photographs a second, by a separate client on the same cores, with bytes never sent before */
async function uploads(scenes: Scenes, scene: Scene, all: Photograph[]): Promise<number> {
  use(scenes, scene);
  const { processes, cores, origin } = scene;
  const count = uploadsEach * processes;
  const paths = Array.from({ length: count }, (_, index) => all[index % all.length]?.path ?? '');
  const client: ChildProcess = fork(join(import.meta.dirname, 'product', 'upload-client.js'), {
    env: { PATH: process.env.PATH },
    execPath: tool('taskset'),
    execArgv: ['-c', cores, process.execPath],
  });
  const failed = once(client, 'exit').then(([code]) => {
    throw new Error(`the client ended with ${code}`);
  });
  failed.catch(() => undefined);
  const work: UploadWork = { origin, atOnce: atOnce * processes, paths, variation };
  variation += count;
  client.send(work);
  const [ms] = await Promise.race([once(client, 'message'), failed]);
  client.disconnect();
  return (count / Number(ms)) * 1000;
}

const parts = ['lists', 'proxy', 'uploads'] as const;

export const measure: Measure = async (bench) => {
  const has = (part: (typeof parts)[number]) => bench.options.part === undefined || bench.options.part === part;
  const scenes = await startScenes(bench);
  const figures: Figure[] = [];
  const goal = { atLeast: 1.7 } as const;
  const lists = async (name: string, two: Scene, one: Scene) => {
    // Warms up both scenes.
    for (const scene of [one, two]) await listCalls(scenes, scene);
    const rounds = await pairs(
      bench.rounds,
      () => listCalls(scenes, two),
      () => listCalls(scenes, one),
    );
    figures.push({ name, unit: '1/s', against: 'one process on one core', goal, rounds });
  };
  if (has('lists')) await lists('list calls, WORKERS=2 on two cores', scenes.two, scenes.one);
  if (has('proxy')) await lists('the same, two servers behind nginx', scenes.twoProxied, scenes.oneProxied);
  if (has('uploads')) figures.push(...(await measureUploads(bench, scenes, goal)));
  return figures;
};

async function measureUploads(bench: Bench, scenes: Scenes, goal: Goal): Promise<Figure[]> {
  const all = await photographs(bench.say);
  for (const scene of [scenes.one, scenes.two]) await uploads(scenes, scene, all.slice(0, 4));
  const rounds = await pairs(
    bench.rounds,
    () => uploads(scenes, scenes.two, all),
    () => uploads(scenes, scenes.one, all),
  );
  // The limit of the machine itself.
  const bare = startBareLoop(bench);
  const thumbnails = async (cores: number) => {
    const paths = all.slice(0, uploadsEach * cores).map(({ path }) => path);
    return (paths.length / (await bare({ paths, atOnce: cores })).ms) * 1000;
  };
  const bareRounds = await pairs(
    bench.rounds,
    () => thumbnails(2),
    () => thumbnails(1),
  );
  const name = 'uploads of 4 MB, WORKERS=2 on two cores';
  return [
    { name, unit: '1/s', against: 'one process on one core', goal, rounds },
    { name: 'bare thumbnails of the same, two at once', unit: '1/s', against: 'one', rounds: bareRounds },
  ];
}
