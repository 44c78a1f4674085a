/** Measures the time from the command to the first answer, with an existing database. See README.md. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/testing/free-port.ts';
import { type Bench, type Measure, pairs } from './bench.ts';
import { processesBelow } from './processes/processes.ts';
import { processorTime } from './processes/processor-time.ts';
import { shipped } from './product/bench-server.ts';

const root = join(import.meta.dirname, '..', '..');
const bareFastify = join(import.meta.dirname, 'limits', 'bare-fastify.js');

/** Milliseconds until the first answer, and of processor time until then. */
type Started = { ms: number; processorMs: number };

const isReady = (port: number) =>
  new Promise<boolean>((resolve) => {
    get({ host: '127.0.0.1', port, path: '/api/health/ready', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', () => resolve(false));
  });

const lives = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Waits for all descendants: npm ends before its server, and the next start would wait for that server. */
async function stop(child: ChildProcess): Promise<void> {
  const pids = [child.pid ?? 0, ...processesBelow(child.pid ?? 0)];
  child.kill('SIGTERM');
  while (pids.some(lives)) await sleep(10);
}

async function start(command: string[], dataDir: string): Promise<Started> {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' };
  const [program = process.execPath, ...words] = command;
  const begun = performance.now();
  const child = spawn(program, words, { cwd: root, env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended with ${child.exitCode}`);
    await sleep(3);
  }
  const ms = performance.now() - begun;
  const { server, database } = processorTime(child.pid ?? 0);
  await stop(child);
  return { ms, processorMs: server + database };
}

async function startNode(): Promise<Started> {
  const begun = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return { ms: performance.now() - begun, processorMs: 0 };
}

export const measure: Measure = async (bench: Bench) => {
  const dataDir = await bench.folder();
  const npm = () => start(['npm', 'start'], dataDir);
  const program = () => start([process.execPath, ...shipped], dataDir);
  const fastify = () => start([process.execPath, bareFastify], dataDir);
  await npm(); // creates the database, and builds what is stale
  const withNpm = await pairs(bench.rounds, npm, fastify);
  const alone = await pairs(bench.rounds, program, fastify);
  const bare = await pairs(bench.rounds, fastify, startNode);
  const time = (all: { ours: Started; limit: Started }[]) =>
    all.map(({ ours, limit }) => ({ ours: ours.ms, limit: limit.ms }));
  const against = 'bare Fastify, one route';
  const goal = { atMost: 800, of: 'ours' } as const;
  return [
    { name: 'npm start to the first answer', unit: 'ms', against, goal, rounds: time(withNpm) },
    { name: 'the program alone to the first answer', unit: 'ms', against, goal, rounds: time(alone) },
    {
      name: 'processor time of the program alone, with Postgres',
      unit: 'ms',
      against,
      rounds: alone.map(({ ours, limit }) => ({ ours: ours.processorMs, limit: limit.processorMs })),
    },
    { name: 'bare Fastify, one route', unit: 'ms', against: 'node -e 0', rounds: time(bare) },
  ];
};
