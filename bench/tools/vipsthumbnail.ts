import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tool } from './tools.ts';

/** Makes thumbnails of all files with `vipsthumbnail`, in two single-threaded processes. @returns milliseconds */
export async function runVipsthumbnail(paths: string[], folder: string): Promise<number> {
  const start = performance.now();
  const middle = paths.length >> 1;
  await Promise.all([paths.slice(0, middle), paths.slice(middle)].map((half) => run(half, folder)));
  return performance.now() - start;
}

async function run(paths: string[], folder: string): Promise<void> {
  const words = ['--size', '480x480>', '--output', `${folder}/%s.webp[Q=75,effort=2,strip]`, ...paths];
  const env = { PATH: process.env.PATH, VIPS_CONCURRENCY: '1' };
  const child = spawn(tool('vipsthumbnail'), words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`vipsthumbnail ended with ${code}`);
}
