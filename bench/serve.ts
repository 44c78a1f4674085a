/** Measures how fast links answer, against nginx with the same files. See README.md. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Bench, type Measure, pairs } from './bench.ts';
import type { Figure } from './figure.ts';
import { photographs } from './pictures/photographs.ts';
import { watchPeak } from './processes/processes.ts';
import { signIn } from './product/account.ts';
import { startServer } from './product/bench-server.ts';
import { createAgent, inLanes, type StoredImage, upload } from './product/uploading.ts';
import { startNginx } from './tools/nginx.ts';
import { type Asked, askBy, type Rate, scriptFor } from './tools/wrk.ts';

const APP_MB = 200;

async function uploadAll(bench: Bench, origin: string): Promise<StoredImage[]> {
  const pictures = await photographs(bench.say);
  const token = await signIn(origin);
  const agent = createAgent(2);
  const images: StoredImage[] = [];
  await inLanes(pictures.length, 2, async (number) => {
    const picture = pictures[number];
    if (picture) images.push(await upload(origin, token, agent, picture));
  });
  agent.destroy();
  return images;
}

/** Copies the answer of each path into a folder under the same path. @returns the paths with their ETags */
async function copyTo(root: string, origin: string, paths: string[]): Promise<{ path: string; etag: string }[]> {
  const copied: { path: string; etag: string }[] = [];
  for (const path of paths) {
    const answer = await fetch(origin + path);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), new Uint8Array(await answer.arrayBuffer()));
    copied.push({ path, etag: answer.headers.get('etag') ?? '' });
  }
  return copied;
}

type Key = keyof Rate;
const roundsOf = (measured: { ours: Rate; limit: Rate }[], key: Key) =>
  measured.map(({ ours, limit }) => ({ ours: ours[key], limit: limit[key] }));

export const measure: Measure = async (bench) => {
  const root = await bench.folder();
  const server = await startServer(bench);
  const images = await uploadAll(bench, server.origin);
  const thumbnails = await copyTo(
    root,
    server.origin,
    images.map((image) => new URL(image.thumbnail_url).pathname),
  );
  const originals = await copyTo(
    root,
    server.origin,
    images.map((image) => new URL(image.url).pathname),
  );
  const nginx = await startNginx(bench, root);

  async function beside(ours: Asked, theirs: Asked = ours) {
    const [one, other] = [await scriptFor(bench, ours), await scriptFor(bench, theirs)];
    const limit = () => askBy(other, nginx);
    // Warms up code and caches.
    await askBy(one, server);
    return pairs(bench.rounds, () => askBy(one, server), limit);
  }

  bench.say('thumbnails …');
  const hot = await beside(thumbnails.map(({ path }) => ({ path })));
  bench.say('known thumbnails …');
  const known = await beside(
    thumbnails.map(({ path, etag }) => ({ path, headers: { 'If-None-Match': etag } })),
    await Promise.all(
      thumbnails.map(async ({ path }) => {
        const etag = (await fetch(nginx.origin + path)).headers.get('etag') ?? '';
        return { path, headers: { 'If-None-Match': etag } };
      }),
    ),
  );
  bench.say('originals …');
  const peakOf = watchPeak(server.pid);
  const whole = await beside(originals.map(({ path }) => ({ path })));
  const peak = peakOf();

  const figures: Figure[] = [
    { name: 'hot thumbnails', unit: '/s', goal: { atLeast: 0.35 }, rounds: roundsOf(hot, 'requests') },
    { name: 'server CPU for one of them', unit: 'µs', rounds: roundsOf(hot, 'cpu') },
    { name: 'known thumbnails (304)', unit: '/s', rounds: roundsOf(known, 'requests') },
    { name: 'server CPU for one of them', unit: 'µs', rounds: roundsOf(known, 'cpu') },
    { name: 'originals of 3 to 6 MB', unit: 'MB/s', goal: { atLeast: 0.85 }, rounds: roundsOf(whole, 'megabytes') },
    { name: 'server CPU for one of them', unit: 'µs', rounds: roundsOf(whole, 'cpu') },
  ];
  const memory: Figure = {
    name: 'app process meanwhile, at most',
    unit: 'MB',
    goal: { atMost: APP_MB },
    rounds: [{ ours: peak / 1e6 }],
  };
  return [...figures.map((figure) => ({ ...figure, against: 'nginx' })), memory];
};
