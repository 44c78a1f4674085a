import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/testing/free-port.ts';
import type { Bench } from '../bench.ts';

export type BenchServer = { origin: string; pid: number; dataDir: string; stop: () => Promise<void> };

export type ServerOptions = {
  /** Additional variables: `{ DATABASE_URL: … }`. */
  environment?: Record<string, string>;
  /** Data folder; by default one that is removed after the bench. */
  dataDir?: string;
  /** Arguments of `node`, to run something else than the shipped server. */
  program?: string[];
};

async function untilReady(origin: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const ready = await fetch(`${origin}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await sleep(20);
  }
  throw new Error(`the server ended with ${child.exitCode ?? child.signalCode} before it was ready`);
}

/** The program of `npm start`, as arguments of `node`. */
export const shipped = ['--max-semi-space-size=2', join(import.meta.dirname, '..', '..', 'program', 'main.js')];

/**
 * Starts the built server on a free port and its own data folder, and stops it when the bench ends. Every variable has its
 * default, except `RATE_LIMIT=off` and a quieter log.
 */
export async function startServer(bench: Bench, options: ServerOptions = {}): Promise<BenchServer> {
  const dataDir = options.dataDir ?? (await bench.folder());
  const port = await freePort();
  const { PATH, HOME, MALLOC_ARENA_MAX } = process.env;
  const usual = { DATA_DIR: dataDir, PORT: String(port), RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, options.program ?? shipped, {
    env: { PATH, HOME, MALLOC_ARENA_MAX, ...usual, ...options.environment },
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  bench.after(stop);
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(origin, child);
  return { origin, pid: child.pid ?? 0, dataDir, stop };
}
