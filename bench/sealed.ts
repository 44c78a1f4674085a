/**
 * Measures the cost of ENCRYPTION_KEY: a server with a key and one without.
 * `--part=loopback`, `https` or `uploads` measures one part. See README.md.
 */
import { randomBytes } from 'node:crypto';
import { type Bench, type Measure, pairs } from './bench.ts';
import type { Figure } from './figure.ts';
import { type Photograph, photographs } from './pictures/photographs.ts';
import { watchPeak } from './processes/processes.ts';
import { signIn } from './product/account.ts';
import { type BenchServer, startServer } from './product/bench-server.ts';
import { createAgent, inLanes, upload } from './product/uploading.ts';
import { startProxy } from './tools/proxy.ts';
import { type Asked, askBy, type Rate, scriptFor } from './tools/wrk.ts';
import { compareUploads } from './upload.ts';

const LEAST = 0.8;

const A_ROUND = 20;

async function storedOn({ origin }: BenchServer, pictures: Photograph[]): Promise<Asked> {
  const token = await signIn(origin);
  const agent = createAgent(2);
  const asked: Asked = [];
  await inLanes(pictures.length, 2, async (number) => {
    const picture = pictures[number];
    if (picture) asked.push({ path: new URL((await upload(origin, token, agent, picture)).url).pathname });
  });
  agent.destroy();
  // Reads each once, so that both servers have verified the originals against their rows.
  for (const { path } of asked) await (await fetch(origin + path)).arrayBuffer();
  return asked;
}

type Served = { origin: string; pid: number };

/** Puts an https proxy on the same machine before a server. */
async function secured(bench: Bench, { origin, pid }: BenchServer): Promise<Served> {
  const proxy = await startProxy(await bench.folder(), [origin], { secure: true });
  bench.after(proxy.stop);
  return { origin: proxy.origin, pid };
}

const parts = ['loopback', 'https', 'uploads'] as const;
const against = 'plain';
const goal = { atLeast: LEAST } as const;

type Round = { ours: Rate; limit: Rate };
const valuesOf = (key: keyof Rate, rounds: Round[]) =>
  rounds.map(({ ours, limit }) => ({ ours: ours[key], limit: limit[key] }));

export const measure: Measure = async (bench) => {
  const has = (part: (typeof parts)[number]) => bench.options.part === undefined || bench.options.part === part;
  const all = await photographs(bench.say);
  // Without background renditions, so that one server is idle while the other is measured.
  const environment = { RENDITIONS_AHEAD: 'off' };
  const plain = await startServer(bench, { environment });
  const key = randomBytes(32).toString('base64');
  const sealed = await startServer(bench, { environment: { ...environment, ENCRYPTION_KEY: key } });
  return [
    ...(has('loopback') || has('https') ? await measureOriginals(bench, sealed, plain, all, has) : []),
    ...(has('uploads') ? await uploads(bench, [sealed, plain], all) : []),
  ];
};

function uploads(bench: Bench, servers: [BenchServer, BenchServer], all: Photograph[]): Promise<Figure[]> {
  bench.say('uploads …');
  return compareUploads(bench, servers, all.slice(0, A_ROUND), { against, goal });
}

async function measureOriginals(
  bench: Bench,
  sealed: BenchServer,
  plain: BenchServer,
  all: Photograph[],
  has: (part: 'loopback' | 'https') => boolean,
): Promise<Figure[]> {
  bench.say('originals …');
  const one = await scriptFor(bench, await storedOn(sealed, all));
  const other = await scriptFor(bench, await storedOn(plain, all));
  const measured = async (ours: Served, limit: Served) => {
    await askBy(one, ours);
    await askBy(other, limit);
    return pairs(
      bench.rounds,
      () => askBy(one, ours),
      () => askBy(other, limit),
    );
  };
  const peak = watchPeak(sealed.pid);
  const figures: Figure[] = [];
  if (has('loopback')) {
    const rounds = await measured(sealed, plain);
    figures.push(
      { name: 'originals of 3 to 6 MB, sealed', unit: 'MB/s', against, rounds: valuesOf('megabytes', rounds) },
      { name: 'server CPU for one of them', unit: 'µs', against, rounds: valuesOf('cpu', rounds) },
    );
  }
  if (has('https')) {
    bench.say('originals by https …');
    const rounds = await measured(await secured(bench, sealed), await secured(bench, plain));
    const name = 'the same by https, nginx before the server';
    figures.push({ name, unit: 'MB/s', against, goal, rounds: valuesOf('megabytes', rounds) });
  }
  const name = 'app process while it sends them, at most';
  return [...figures, { name, unit: 'MB', rounds: [{ ours: peak() / 1e6 }] }];
}
