/** How much memory does the server take, with eight uploads at a time? See README.md beside this. */
import { signIn } from './account.ts';
import type { Bench, Measure } from './bench.ts';
import { startServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { makePictures, type Picture } from './pictures.ts';
import { type Peak, watchMemory } from './processes.ts';
import { createAgent, inLanes, upload } from './uploading.ts';

const UPLOADS = 100;
const AT_ONCE = 8;
const SAMPLE_MS = 100;

const APP = { atMost: 200 };
const ALL = { atMost: 450 };

/** One server's life: everything uploaded once. */
async function peakOf(bench: Bench, pictures: Picture[]): Promise<Peak> {
  const server = await startServer(bench);
  const token = await signIn(server.origin);
  const agent = createAgent(AT_ONCE);
  const watch = watchMemory(server.pid, SAMPLE_MS);
  await inLanes(UPLOADS, AT_ONCE, async (number) => {
    const picture = pictures[number % pictures.length];
    if (!picture) throw new Error('there is no picture to upload');
    const sent = { ...picture, name: `${number}-${picture.name}`, bytes: picture.varied(number) };
    await upload(server.origin, token, agent, sent);
  });
  const peak = watch.stop();
  agent.destroy();
  await server.stop();
  return peak;
}

function figuresOf(peaks: Peak[], what: string): Figure[] {
  const rounds = (key: 'app' | 'all' | 'proportional') => peaks.map((peak) => ({ ours: peak[key] / 1e6 }));
  return [
    { name: `app process, ${what}`, unit: 'MB', goal: APP, rounds: rounds('app') },
    { name: `all processes without Postgres, ${what}`, unit: 'MB', goal: ALL, rounds: rounds('all') },
    { name: `the same, shared pages counted once (PSS), ${what}`, unit: 'MB', rounds: rounds('proportional') },
  ];
}

export const measure: Measure = async (bench) => {
  if (process.platform !== 'linux') throw new Error('This bench reads /proc: run it on Linux.');
  const pictures = await makePictures();
  const peaks: Peak[] = [];
  for (let round = 0; round < bench.rounds; round += 1) peaks.push(await peakOf(bench, pictures));
  return figuresOf(peaks, `${UPLOADS} of 30 MB`);
};
