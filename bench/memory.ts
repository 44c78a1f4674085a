/** Measures the server's memory with eight uploads at a time. See README.md. */

import type { Bench, Measure } from './bench.ts';
import type { Figure } from './figure.ts';
import { photographs } from './pictures/photographs.ts';
import { makePictures, type Picture } from './pictures/pictures.ts';
import { type Peak, watchMemory } from './processes/processes.ts';
import { signIn } from './product/account.ts';
import { type BenchServer, startServer } from './product/bench-server.ts';
import { createAgent, fetchWhole, inLanes, upload } from './product/uploading.ts';

const UPLOADS = 100;
const AT_ONCE = 8;
const READERS = 4;
const SAMPLE_MS = 100;

const APP = { atMost: 200 };
const ALL = { atMost: 450 };

type Load = (server: BenchServer, token: string) => Promise<void>;

const uploads =
  (pictures: Picture[], stored: (thumbnailUrl: string) => void = () => {}): Load =>
  async ({ origin }, token) => {
    const agent = createAgent(AT_ONCE);
    await inLanes(UPLOADS, AT_ONCE, async (number) => {
      const picture = pictures[number % pictures.length];
      if (!picture) throw new Error('there is no picture to upload');
      const sent = { ...picture, name: `${number}-${picture.name}`, bytes: picture.varied(number) };
      stored((await upload(origin, token, agent, sent)).thumbnail_url);
    });
    agent.destroy();
  };

/** Uploads photographs while others repeatedly read the first page and all thumbnails. */
const mixed =
  (pictures: Picture[]): Load =>
  async (server, token) => {
    const thumbnails: string[] = [];
    let uploading = true;
    const reader = async () => {
      const agent = createAgent(1);
      const headers = { authorization: `Bearer ${token}` };
      for (let turn = 0; uploading; turn += 1) {
        await (await fetch(`${server.origin}/api/images/?page=1`, { headers })).arrayBuffer();
        const url = thumbnails[turn % Math.max(1, thumbnails.length)];
        if (url !== undefined) await fetchWhole(url, agent);
      }
      agent.destroy();
    };
    const reading = Promise.all(Array.from({ length: READERS }, reader));
    try {
      await uploads(pictures, (url) => thumbnails.push(url))(server, token);
    } finally {
      uploading = false;
      await reading;
    }
  };

/** Runs one load on a fresh server. */
async function peakOf(bench: Bench, load: Load): Promise<Peak> {
  const server = await startServer(bench);
  const token = await signIn(server.origin);
  const watch = watchMemory(server.pid, SAMPLE_MS);
  await load(server, token);
  const peak = watch.stop();
  await server.stop();
  return peak;
}

async function figuresOf(bench: Bench, what: string, load: Load): Promise<Figure[]> {
  const peaks: Peak[] = [];
  for (let round = 0; round < bench.rounds; round += 1) peaks.push(await peakOf(bench, load));
  const rounds = (key: 'app' | 'all' | 'proportional') => peaks.map((peak) => ({ ours: peak[key] / 1e6 }));
  return [
    { name: `${what}: app process`, unit: 'MB', goal: APP, rounds: rounds('app') },
    { name: `${what}: all processes without Postgres`, unit: 'MB', goal: ALL, rounds: rounds('all') },
    { name: `${what}: all, shared pages counted once (PSS)`, unit: 'MB', rounds: rounds('proportional') },
  ];
}

export const measure: Measure = async (bench) => {
  if (process.platform !== 'linux') throw new Error('This bench reads /proc: run it on Linux.');
  const small = await photographs(bench.say);
  const large = await makePictures();
  return [
    ...(await figuresOf(bench, `${UPLOADS} of 4 MB`, uploads(small))),
    ...(await figuresOf(bench, `${UPLOADS} of 30 MB`, uploads(large))),
    ...(await figuresOf(bench, `${UPLOADS} of 4 MB, lists and thumbnails read meanwhile`, mixed(small))),
  ];
};
