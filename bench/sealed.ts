/** What does ENCRYPTION_KEY cost? The same server twice, with a key and without one. See README.md beside this. */
import { randomBytes } from 'node:crypto';
import { signIn } from './account.ts';
import { type Bench, type Measure, pairs } from './bench.ts';
import { type BenchServer, startServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { type Photograph, photographs } from './photographs.ts';
import { watchMemory } from './processes.ts';
import { startProxy } from './proxy.ts';
import { uploadAll } from './upload.ts';
import { createAgent, inLanes, upload } from './uploading.ts';
import { type Asked, askBy, type Rate, scriptFor } from './wrk.ts';

const SAMPLE_MS = 50;
const LEAST = 0.8;

/** Photographs in a round of uploads. */
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
  // Once each, so that both have compared them with their rows.
  for (const { path } of asked) await (await fetch(origin + path)).arrayBuffer();
  return asked;
}

/** As people have it: https ends at a proxy on the same machine. */
async function secured(bench: Bench, { origin, pid }: BenchServer): Promise<{ origin: string; pid: number }> {
  const proxy = await startProxy(await bench.folder(), [origin], true);
  bench.after(proxy.stop);
  return { origin: proxy.origin, pid };
}

export const measure: Measure = async (bench) => {
  const all = await photographs(bench.say);
  // Nothing is made behind the answers while the other one is measured.
  const environment = { RENDITIONS_AHEAD: 'off' };
  const plain = await startServer(bench, { environment });
  const key = randomBytes(32).toString('base64');
  const sealed = await startServer(bench, { environment: { ...environment, ENCRYPTION_KEY: key } });

  bench.say('originals …');
  const [one, other] = [
    await scriptFor(bench, await storedOn(sealed, all)),
    await scriptFor(bench, await storedOn(plain, all)),
  ];
  await askBy(one, sealed);
  await askBy(other, plain);
  const watch = watchMemory(sealed.pid, SAMPLE_MS);
  const served = await pairs(
    bench.rounds,
    () => askBy(one, sealed),
    () => askBy(other, plain),
  );
  const peak = watch.stop();
  bench.say('originals by https …');
  const [before, beside] = [await secured(bench, sealed), await secured(bench, plain)];
  await askBy(one, before);
  await askBy(other, beside);
  const secure = await pairs(
    bench.rounds,
    () => askBy(one, before),
    () => askBy(other, beside),
  );

  bench.say('uploads …');
  const some = all.slice(0, A_ROUND);
  const taken = await pairs(
    bench.rounds,
    () => uploadAll(sealed, some),
    () => uploadAll(plain, some),
  );

  const rounds = (key: keyof Rate, all = served) =>
    all.map(({ ours, limit }) => ({ ours: ours[key], limit: limit[key] }));
  const against = 'plain';
  const figures: Figure[] = [
    { name: 'originals of 3 to 6 MB, sealed', unit: 'MB/s', goal: { atLeast: LEAST }, rounds: rounds('megabytes') },
    { name: 'server CPU for one of them', unit: 'µs', rounds: rounds('cpu') },
    {
      name: 'the same by https, nginx before the server',
      unit: 'MB/s',
      goal: { atLeast: LEAST },
      rounds: rounds('megabytes', secure),
    },
    {
      name: `${A_ROUND} photographs uploaded, 8 at a time`,
      unit: 'images/s',
      goal: { atLeast: LEAST },
      rounds: taken.map(({ ours, limit }) => ({ ours: ours.perSecond, limit: limit.perSecond })),
    },
    {
      name: 'processor time for one of them, server and decoders',
      unit: 'ms',
      rounds: taken.map(({ ours, limit }) => ({ ours: ours.server, limit: limit.server })),
    },
  ];
  return [
    ...figures.map((figure) => ({ ...figure, against })),
    { name: 'app process while it sends them, at most', unit: 'MB', rounds: [{ ours: peak.app / 1e6 }] },
  ];
};
