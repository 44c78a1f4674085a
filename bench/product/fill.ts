import sharp from 'sharp';
import type { Bench } from '../bench.ts';
import { photographs } from '../pictures/photographs.ts';
import type { BenchServer } from './bench-server.ts';
import { createAgent, inLanes, upload } from './uploading.ts';

const SIZES: readonly (readonly [number, number])[] = [
  [1500, 1000],
  [1000, 1500],
  [1600, 1200],
  [1600, 900],
];

/** Uploads cut-outs of the photographs in common ratios, numbered from `first` up to `end`. */
export async function fill(
  { origin }: BenchServer,
  token: string,
  bench: Bench,
  first: number,
  end: number,
): Promise<void> {
  const all = await photographs(bench.say);
  const agent = createAgent(4);
  bench.after(() => agent.destroy());
  await inLanes(end - first, 2, async (index) => {
    const number = first + index;
    const [width, height] = SIZES[number % SIZES.length] ?? [1500, 1000];
    const photograph = all[number % all.length];
    const bytes = await sharp(photograph?.bytes)
      .extract({ left: (number * 97) % 1300, top: (number * 61) % 1300, width, height })
      .jpeg({ quality: 85 })
      .toBuffer();
    await upload(origin, token, agent, { name: `cut-out-${number}.jpg`, type: 'image/jpeg', bytes });
  });
}

/** Uploads one whole photograph. */
export async function addWhole({ origin }: BenchServer, token: string, bench: Bench): Promise<void> {
  const agent = createAgent(1);
  bench.after(() => agent.destroy());
  const whole = (await photographs(bench.say)).find((_, index) => (index + 1) % 4 !== 0);
  if (whole !== undefined) await upload(origin, token, agent, { ...whole, bytes: whole.varied(1) });
}
