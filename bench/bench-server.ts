import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/testing/free-port.ts';
import type { Bench } from './bench.ts';

export type BenchServer = { origin: string; pid: number; dataDir: string; stop: () => Promise<void> };

export type ServerOptions = {
  /** Variables beside the usual ones: `{ DATABASE_URL: … }`. */
  environment?: Record<string, string>;
  /** Where it keeps what it stores; by default a folder that goes with the bench. */
  dataDir?: string;
  /** What is run instead of the shipped server, as words after `node`. */
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

/** What `npm start` runs, as words after `node`. */
export const shipped = ['--max-semi-space-size=2', join(import.meta.dirname, '..', 'program', 'main.js')];

/**
 * The compiled server as users run it: a process, a port and a data folder of its own, every variable at its default
 * save `RATE_LIMIT=off` and a quieter log. It is stopped when the bench ends, if not before.
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
