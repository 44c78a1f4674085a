/** Starts Debian's Postgres in a temporary folder, with psql and pgbench. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../server/testing/free-port.ts';
import type { Bench } from '../bench.ts';
import { type Tool, tool } from './tools.ts';

export type Cluster = {
  url: string;
  /** The postmaster's process id. */
  pid: number;
  /** @returns the program's output @throws Error with its error output */
  run(name: Tool, args: string[], input?: string): Promise<string>;
};

/** @returns Debian's Postgres user when run as root, since Postgres refuses root */
function nobody(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/** Uses the defaults, except for a free port and fewer checkpoints while seeding. */
export async function startCluster(bench: Bench): Promise<Cluster> {
  const { uid, gid } = nobody();
  const as = uid === undefined || gid === undefined ? {} : { uid, gid };
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  bench.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) await chown(join(folder, 'data'), uid, gid);
  const data = join(folder, 'data', 'cluster');
  const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
  const made = spawnSync(tool('initdb'), words, { ...as, cwd: '/', encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${join(folder, 'data')}`,
    'max_wal_size=4GB',
    'logging_collector=off',
    'log_min_messages=fatal',
  ];
  const server = spawn(
    tool('postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])],
    { ...as, cwd: '/', stdio: 'ignore' },
  );
  const ended = once(server, 'exit');
  bench.after(async () => {
    server.kill('SIGINT');
    await ended;
  });
  const place = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
  const run = async (name: Tool, args: string[], input = '') => {
    const child = spawn(tool(name), [...place, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    const output: string[] = [];
    const errors: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text) => output.push(text));
    child.stderr.setEncoding('utf8').on('data', (text) => errors.push(text));
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${errors.join('')}`);
    return output.join('');
  };
  for (let tries = 0; ; tries += 1) {
    const failure = await run('psql', ['-qtAX', '-c', 'select 1', 'postgres']).catch((error: Error) => error);
    if (typeof failure === 'string') break;
    if (tries > 600) throw failure;
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, pid: server.pid ?? 0, run };
}
