/** Measures uploads with thumbnails against a bare sharp loop, vipsthumbnail, and `cp` with `sync`. See README.md. */

import { type Bench, type Measure, pairs } from './bench.ts';
import { type Figure, type Round, spreadOf } from './figure.ts';
import { type BareLoop, startBareLoop } from './limits/bare-loop.ts';
import { type Photograph, photographs } from './pictures/photographs.ts';
import { processorTime, untilQuiet } from './processes/processor-time.ts';
import { touchMemory } from './processes/touch-memory.ts';
import { signIn } from './product/account.ts';
import { type BenchServer, startServer } from './product/bench-server.ts';
import { measureIngest } from './product/ingest.ts';
import { createAgent, fetchWhole, inLanes, upload } from './product/uploading.ts';
import { tool } from './tools/tools.ts';
import { runVipsthumbnail } from './tools/vipsthumbnail.ts';

const AT_ONCE = 8;
const BARE_AT_ONCE = 2;
/** Rounds before the measurement: by then, V8 has compiled most of what an upload runs. */
const WARM_UP_ROUNDS = 3;
/** Photographs sent before each round: one for each decoder. */
const WARMING = 2;
/** Sequential uploads in a round. */
const ALONE = 10;

/** One round: images a second, and milliseconds of processor time per image. */
type Taken = { perSecond: number; server: number; database: number; client: number };

let variation = 0;

/** Uploads every photograph and fetches its thumbnail, with a new account and bytes never sent before. */
export async function uploadAll({ origin, pid }: BenchServer, all: Photograph[]): Promise<Taken> {
  const token = await signIn(origin);
  const agent = createAgent(AT_ONCE);
  const bodies = all.map((photograph) => photograph.varied(variation++));
  await untilQuiet(pid);
  // Starts the decoders, which end after an idle minute: their start is not part of the measurement.
  const first = all.slice(0, WARMING).map(({ name, type, varied }) => ({ name, type, bytes: varied(variation++) }));
  await inLanes(first.length, first.length, async (number) => {
    const sent = first[number];
    if (sent) await upload(origin, token, agent, sent);
  });
  await touchMemory();
  const [before, own, start] = [processorTime(pid), process.cpuUsage(), performance.now()];
  await inLanes(all.length, AT_ONCE, async (number) => {
    const { name = '', type = '' } = all[number] ?? {};
    const image = await upload(origin, token, agent, { name, type, bytes: bodies[number] ?? Buffer.alloc(0) });
    await fetchWhole(image.thumbnail_url, agent);
  });
  const ms = performance.now() - start;
  const [after, { user, system }] = [processorTime(pid), process.cpuUsage(own)];
  agent.destroy();
  await untilQuiet(pid);
  return {
    perSecond: (all.length / ms) * 1000,
    server: (after.server - before.server) / all.length,
    database: (after.database - before.database) / all.length,
    client: (user + system) / 1000 / all.length,
  };
}

/** Uploads to a server and its limit in turns; `goal` applies to the ratio of their throughput. */
export async function compareUploads(
  bench: Bench,
  [ours, limit]: [BenchServer, BenchServer],
  some: Photograph[],
  { against, goal }: Required<Pick<Figure, 'against' | 'goal'>>,
): Promise<Figure[]> {
  const taken = await pairs(
    bench.rounds,
    () => uploadAll(ours, some),
    () => uploadAll(limit, some),
  );
  return [
    {
      name: `${some.length} photographs uploaded, ${AT_ONCE} at a time`,
      unit: 'images/s',
      against,
      goal,
      rounds: taken.map(({ ours, limit }) => ({ ours: ours.perSecond, limit: limit.perSecond })),
    },
    {
      name: 'processor time for one of them, server and decoders',
      unit: 'ms',
      against,
      rounds: taken.map(({ ours, limit }) => ({ ours: ours.server, limit: limit.server })),
    },
  ];
}

/** @returns median milliseconds from the first byte of an upload to its answer, with no other load */
async function uploadAlone({ origin, pid }: BenchServer, all: Photograph[]): Promise<number> {
  const token = await signIn(origin);
  const agent = createAgent(1);
  const times: number[] = [];
  await untilQuiet(pid);
  for (const photograph of all.slice(0, ALONE)) {
    const sent = { ...photograph, bytes: photograph.varied(variation++) };
    const start = performance.now();
    await upload(origin, token, agent, sent);
    times.push(performance.now() - start);
  }
  agent.destroy();
  await untilQuiet(pid);
  return spreadOf(times).median;
}

async function measureMany(bench: Bench, server: BenchServer, bare: BareLoop, all: Photograph[]): Promise<Figure[]> {
  const paths = all.map(({ path }) => path);
  const folder = await bench.folder();
  const measured = await pairs(
    bench.rounds,
    () => uploadAll(server, all),
    async () => ({ ...(await bare({ paths, atOnce: BARE_AT_ONCE })), vipsMs: await runVipsthumbnail(paths, folder) }),
  );
  const rounds = (ours: (taken: Taken) => number): Round[] =>
    measured.map((pair) => ({ ours: ours(pair.ours), limit: pair.limit.processorMs / all.length }));
  const name = `${all.length} photographs, ${AT_ONCE} at a time, until every thumbnail is served`;
  const perSecond = (ms: (limit: (typeof measured)[number]['limit']) => number): Round[] =>
    measured.map(({ ours, limit }) => ({ ours: ours.perSecond, limit: (all.length / ms(limit)) * 1000 }));
  const bareLoop = 'bare sharp loop';
  return [
    { name, unit: 'images/s', against: bareLoop, goal: { atLeast: 0.63 }, rounds: perSecond(({ ms }) => ms) },
    { name: 'the same', unit: 'images/s', against: 'vipsthumbnail', rounds: perSecond(({ vipsMs }) => vipsMs) },
    {
      name: 'processor time for an image, server and decoders',
      unit: 'ms',
      against: bareLoop,
      goal: { atMost: 1.5 },
      rounds: rounds(({ server }) => server),
    },
    {
      name: 'the same with Postgres',
      unit: 'ms',
      against: bareLoop,
      goal: { atMost: 1.5 },
      rounds: rounds((taken) => taken.server + taken.database),
    },
    {
      name: 'the same of the client, which shares the cores',
      unit: 'ms',
      against: bareLoop,
      rounds: rounds(({ client }) => client),
    },
  ];
}

async function measureAlone(bench: Bench, server: BenchServer, bare: BareLoop, all: Photograph[]): Promise<Figure[]> {
  const fourMegabytes = all.toSorted((a, b) => Math.abs(a.bytes.length - 4e6) - Math.abs(b.bytes.length - 4e6));
  const paths = fourMegabytes.slice(0, ALONE).map(({ path }) => path);
  const measured = await pairs(
    bench.rounds,
    () => uploadAlone(server, fourMegabytes),
    async () => spreadOf((await bare({ paths, atOnce: 1 })).each).median,
  );
  const goal = { atMost: 115, of: 'ours' } as const;
  const name = 'answer to one photograph of 4 MB alone';
  return [{ name, unit: 'ms', against: 'bare thumbnail', goal, rounds: measured }];
}

export const measure: Measure = async (bench) => {
  tool('vipsthumbnail');
  const all = await photographs(bench.say);
  const bare = startBareLoop(bench);
  const server = await startServer(bench);
  // Warms up both.
  await bare({ paths: all.slice(0, 8).map(({ path }) => path), atOnce: BARE_AT_ONCE });
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await uploadAll(server, all);
  const many = await measureMany(bench, server, bare, all);
  const alone = await measureAlone(bench, server, bare, all);
  await server.stop();
  return [...many, ...alone, ...(await measureIngest(bench, all))];
};
