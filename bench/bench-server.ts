import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type BenchServer = { origin: string; pid: number; stop: () => Promise<void> };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

async function untilReady(origin: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const ready = await fetch(`${origin}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await sleep(50);
  }
  throw new Error(`the server ended with ${child.exitCode} before it was ready`);
}

/** The compiled server as users run it: in a process, a port and a data folder of its own, with the defaults. */
export async function startServer(): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const port = await freePort();
  const { PATH, HOME, MALLOC_ARENA_MAX } = process.env;
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=2', join(import.meta.dirname, '..', 'server', 'main.js')],
    {
      env: {
        PATH,
        HOME,
        MALLOC_ARENA_MAX,
        DATA_DIR: dataDir,
        PORT: String(port),
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'warn',
      },
      stdio: 'inherit',
    },
  );
  const ended = once(child, 'exit');
  // A bench that is stopped takes its server with it.
  process.once('exit', () => child.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  try {
    await untilReady(origin, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, pid: child.pid ?? 0, stop };
}
