/** Measures the costs that capacity.ts uses: a list, a view, background renditions, and storage. upload.ts has the rest. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Measure } from './bench.ts';
import type { Figure } from './figure.ts';
import { type Photograph, photographs } from './pictures/photographs.ts';
import { processorTime, untilQuiet } from './processes/processor-time.ts';
import { signIn } from './product/account.ts';
import { type BenchServer, startServer } from './product/bench-server.ts';
import { seed } from './product/gallery-seed.ts';
import { createAgent, inLanes, type StoredImage, upload } from './product/uploading.ts';
import { type Cluster, startCluster } from './tools/postgres.ts';
import { askAs } from './tools/wrk.ts';

const uploadsEach = 12;
const seconds = 3;
/** Seconds for which the idle server is watched. */
const idleSeconds = 60;
const connections = 10;
/** Rows of the owner who lists; the table has three times as many. */
const rows = 100_000;

/** Milliseconds of processor time. */
type Spent = { app: number; database: number };

type Scene = { server: BenchServer; cluster: Cluster; token: string; all: Photograph[] };

/** @returns the processor time of the app with its decoders, and of Postgres, for each of `count` */
async function spent({ server, cluster }: Scene, work: () => Promise<number>): Promise<Spent> {
  const look = () => ({ app: processorTime(server.pid).server, database: processorTime(cluster.pid).database });
  const before = look();
  const count = await work();
  const after = look();
  return { app: (after.app - before.app) / count, database: (after.database - before.database) / count };
}

/** @returns the number of answered requests to one path */
async function ask({ server, token }: Scene, path: string): Promise<number> {
  return (await askAs({ token, connections, seconds }, server.origin + path)).requests;
}

const size = async (scene: Scene, path: string): Promise<number> => {
  const answer = await fetch(scene.server.origin + path, { headers: { authorization: `Bearer ${scene.token}` } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return (await answer.arrayBuffer()).byteLength;
};

/** @returns bytes of all stored files in a folder */
async function storedBytes(dataDir: string, folder: string): Promise<number> {
  const root = join(dataDir, 'files', folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, each) => sum + each, 0);
}

let variation = 0;

async function uploadSome({ server, token, all }: Scene): Promise<StoredImage[]> {
  const agent = createAgent(2);
  const images: StoredImage[] = [];
  await inLanes(uploadsEach, 2, async (number) => {
    const photograph = all[(variation + number) % all.length];
    if (!photograph) return;
    const bytes = photograph.varied(variation * 100 + number);
    images.push(await upload(server.origin, token, agent, { ...photograph, bytes }));
  });
  variation += uploadsEach;
  agent.destroy();
  return images;
}

const number = async ({ cluster }: Scene, sql: string) =>
  Number(await cluster.run('psql', ['-qtAX', '-c', sql, 'postgres']));

/** What Postgres has written: transactions with an id, which every writing one has, and bytes of the log. */
type Written = { transactions: number; wal: number };

async function written(scene: Scene): Promise<Written & { at: number }> {
  const transactions = await number(scene, 'select pg_snapshot_xmax(pg_current_snapshot())::text::bigint');
  return { transactions, wal: await number(scene, "select pg_current_wal_lsn() - '0/0'"), at: performance.now() };
}

/** @returns what was written meanwhile, less the `idle` writes (per millisecond) of that time */
async function writtenBy(
  scene: Scene,
  work: () => Promise<unknown>,
  idle?: Written,
): Promise<Written & { ms: number }> {
  const before = await written(scene);
  await work();
  const after = await written(scene);
  const ms = after.at - before.at;
  return {
    transactions: after.transactions - before.transactions - ms * (idle?.transactions ?? 0),
    wal: after.wal - before.wal - ms * (idle?.wal ?? 0),
    ms,
  };
}

/** @returns the writes of heartbeats and sweeps, per millisecond */
async function measureIdle(scene: Scene): Promise<Written> {
  await untilQuiet(scene.server.pid);
  const { transactions, wal, ms } = await writtenBy(scene, () => sleep(idleSeconds * 1000));
  return { transactions: transactions / ms, wal: wal / ms };
}

type Round = {
  behind: Spent;
  transactions: number;
  wal: number;
  list: Spent;
  thumbnail: Spent;
  original: Spent;
  bytes: { thumbnail: number; screen: number; list: number; original: number };
};

async function measureRound(scene: Scene, idle: Written): Promise<Round> {
  const { server } = scene;
  await untilQuiet(server.pid);
  const images: StoredImage[] = [];
  let behind: Spent = { app: 0, database: 0 };
  const { transactions, wal } = await writtenBy(
    scene,
    async () => {
      images.push(...(await uploadSome(scene)));
      behind = await spent(scene, async () => {
        await untilQuiet(server.pid);
        return images.length;
      });
    },
    idle,
  );
  const path = (url: string | undefined) => new URL(url ?? '').pathname;
  const [image] = images;
  const [thumbnail, original] = [path(image?.thumbnail_url), path(image?.url)];
  const screen = `${original.replace(/\.\w+$/, '')}/screen.webp`;
  const by = async (asked: string) => spent(scene, () => ask(scene, asked));
  return {
    behind,
    transactions: transactions / images.length,
    wal: wal / images.length,
    list: await by('/api/images/'),
    thumbnail: await by(thumbnail),
    original: await by(original),
    bytes: {
      thumbnail: await size(scene, thumbnail),
      screen: await size(scene, screen),
      list: await size(scene, '/api/images/'),
      original: await size(scene, original),
    },
  };
}

/** Turns off autovacuum after the seeding, since its writes would count as the server's. */
async function settle({ cluster }: Scene): Promise<void> {
  for (const statement of [
    'alter system set autovacuum = off',
    'select pg_reload_conf()',
    'vacuum analyze',
    'checkpoint',
  ])
    await cluster.run('psql', ['-qtAX', '-v', 'ON_ERROR_STOP=1', '-c', statement, 'postgres']);
}

/** @returns bytes of the table and its indexes per image */
async function measureRows(scene: Scene): Promise<{ table: number; indexes: number; counts: number }> {
  const images = await number(scene, 'select count(*) from images');
  const bytes = (text: string) => number(scene, `select ${text}`).then((all) => all / images);
  return {
    table: await bytes("pg_table_size('images')"),
    indexes: await bytes("pg_indexes_size('images')"),
    counts: await bytes("pg_total_relation_size('image_counts')"),
  };
}

async function start(bench: Bench): Promise<Scene> {
  const all = await photographs(bench.say);
  const cluster = await startCluster(bench);
  const server = await startServer(bench, { environment: { DATABASE_URL: cluster.url } });
  const token = await signIn(server.origin);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  await cluster.run('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', 'postgres'], seed(claims.sub, rows));
  return { server, cluster, token, all };
}

export const measure: Measure = async (bench) => {
  const scene = await start(bench);
  await settle(scene);
  const held = await measureRows(scene);
  // Warms up before the first round.
  await uploadSome(scene);
  bench.say(`watching it idle for ${idleSeconds} s …`);
  const idle = await measureIdle(scene);
  const rounds: Round[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.say(`round ${round + 1} …`);
    rounds.push(await measureRound(scene, idle));
  }
  const stored = variation;
  const folders = ['originals', 'thumbnails', 'screens'];
  const bytes = await Promise.all(folders.map((folder) => storedBytes(scene.server.dataDir, folder)));
  const figure = (name: string, unit: string, of: (round: Round) => number): Figure => ({
    name,
    unit,
    rounds: rounds.map((round) => ({ ours: of(round) })),
  });
  const once = (name: string, value: number): Figure => ({ name, unit: 'B', rounds: [{ ours: value }] });
  return [
    figure('upload of a photograph: transactions', '', ({ transactions }) => transactions),
    figure('upload of a photograph: write-ahead log', 'B', ({ wal }) => wal),
    figure('its renditions behind the answer: decoder', 'ms', ({ behind }) => behind.app),
    figure('its renditions behind the answer: Postgres', 'ms', ({ behind }) => behind.database),
    figure('list call: server', 'ms', ({ list }) => list.app),
    figure('list call: Postgres', 'ms', ({ list }) => list.database),
    figure('view of a thumbnail: server', 'ms', ({ thumbnail }) => thumbnail.app),
    figure('view of an original: server', 'ms', ({ original }) => original.app),
    figure('list call: bytes', 'B', ({ bytes }) => bytes.list),
    figure('thumbnail: bytes', 'B', ({ bytes }) => bytes.thumbnail),
    figure('screen rendition: bytes', 'B', ({ bytes }) => bytes.screen),
    figure('original: bytes', 'B', ({ bytes }) => bytes.original),
    ...folders.map((folder, at) => once(`stored for an image: ${folder}`, (bytes[at] ?? 0) / stored)),
    once('row of an image: table', held.table),
    once('row of an image: indexes', held.indexes),
    once('row of an image: counts', held.counts),
  ];
};
