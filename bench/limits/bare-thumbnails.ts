/** The limit of an upload: a separate process that only makes the product's thumbnails with sharp (parent: bare-loop.ts). */
import sharp from 'sharp';
import type { BareResult, BareWork } from './bare-loop.ts';

sharp.concurrency(1);
sharp.cache(false);

/** As in server/decoder/decoding/renditions.ts: 480 px, WebP of quality 75 and effort 2, upright. */
const thumbnail = (path: string) =>
  sharp(path, { failOn: 'warning', sequentialRead: true })
    .autoOrient()
    .resize(480, 480, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75, effort: 2 })
    .toBuffer();

async function run({ paths, atOnce }: BareWork): Promise<BareResult> {
  const before = process.cpuUsage();
  const start = performance.now();
  const each: number[] = [];
  const waiting = [...paths];
  const lane = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const begun = performance.now();
      await thumbnail(path);
      each.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { ms, processorMs: (user + system) / 1000, each };
}

process.on('message', (work: BareWork) => void run(work).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit(0));
