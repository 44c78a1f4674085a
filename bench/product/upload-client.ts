/** A separate client process for some cores: uploads what its parent sends it and reports the milliseconds. */
import { readFile } from 'node:fs/promises';
import { inserted, jpegComment, SOI_BYTES } from '../pictures/pictures.ts';
import type { UploadWork } from '../scale.ts';
import { signIn } from './account.ts';
import { createAgent, fetchWhole, inLanes, upload } from './uploading.ts';

async function run({ origin, atOnce, paths, variation }: UploadWork): Promise<number> {
  const bodies = await Promise.all(
    paths.map(async (path, index) => inserted(await readFile(path), SOI_BYTES, jpegComment(variation + index))),
  );
  const token = await signIn(origin);
  const agent = createAgent(atOnce);
  const start = performance.now();
  await inLanes(paths.length, atOnce, async (number) => {
    const bytes = bodies[number] ?? Buffer.alloc(0);
    const image = await upload(origin, token, agent, { name: `${variation + number}.jpg`, type: 'image/jpeg', bytes });
    await fetchWhole(image.thumbnail_url, agent);
  });
  agent.destroy();
  return performance.now() - start;
}

process.on('message', (work: UploadWork) => void run(work).then((ms) => process.send?.(ms)));
process.on('disconnect', () => process.exit(0));
