import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Bench, pairs } from '../bench.ts';
import type { Figure } from '../figure.ts';
import type { Photograph } from '../pictures/photographs.ts';
import { signIn } from './account.ts';
import { startServer } from './bench-server.ts';
import { createAgent, inLanes, upload } from './uploading.ts';

const AT_ONCE = 8;

/** Copies and syncs each file. @returns milliseconds */
async function copyAndSync(paths: string[], folder: string): Promise<number> {
  const script = 'to=$1; n=0; shift; for from; do n=$((n+1)); cp "$from" "$to/$n" && sync "$to/$n" || exit 1; done';
  const start = performance.now();
  const child = spawn('sh', ['-c', script, 'sh', folder, ...paths], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`cp and sync ended with ${code}`);
  return performance.now() - start;
}

/** Measures ingest without decoding (multipart to synced file, SHA-256 and row) against `cp` and `sync`. */
export async function measureIngest(bench: Bench, all: Photograph[]): Promise<Figure[]> {
  const program = ['--max-semi-space-size=2', join(import.meta.dirname, 'ingest-server.js')];
  const server = await startServer(bench, { program });
  const agent = createAgent(AT_ONCE);
  bench.after(() => agent.destroy());
  const megabytes = all.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
  let variation = 0;

  async function uploadAll(): Promise<number> {
    const token = await signIn(server.origin);
    const bodies = all.map((photograph) => ({ ...photograph, bytes: photograph.varied(variation++) }));
    const start = performance.now();
    await inLanes(bodies.length, AT_ONCE, async (number) => {
      const body = bodies[number];
      if (body) await upload(server.origin, token, agent, body);
    });
    return (megabytes / (performance.now() - start)) * 1000;
  }

  await uploadAll();
  const paths = all.map(({ path }) => path);
  const rounds = await pairs(bench.rounds, uploadAll, async () => {
    const ms = await copyAndSync(paths, await bench.folder());
    return (megabytes / ms) * 1000;
  });
  await server.stop();
  const name = `ingest alone, thumbnails off, ${AT_ONCE} at a time`;
  return [{ name, unit: 'MB/s', against: 'cp and sync', goal: { atLeast: 0.35 }, rounds }];
}
