/** Starts the system's Postgres on a temporary folder, for a test to stop, freeze and fill. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openClient } from '../../server/database/client.ts';
import { temporaryFolder } from '../../server/testing/app.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { freePort } from '../../server/testing/free-port.ts';
import { below } from './machine/processes.ts';
import { postgresBinaries } from './machine/tools.ts';

export type Cluster = {
  url: string;
  folder: string;
  /** Whether its postmaster is running. */
  lives(): boolean;
  start(): Promise<void>;
  /** Stops it like a power cut: without waiting for clients or writing a checkpoint. */
  stopAtOnce(): Promise<void>;
  freeze(): void;
  thaw(): void;
};

/** @returns the user of the system's Postgres package when run as root, since Postgres refuses root */
function asPostgres(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'));
  const [, , uid, gid] = (line ?? '').split(':').map(Number);
  return { uid: uid ?? 65534, gid: gid ?? 65534 };
}

/** @param prepare changes the empty folder first, for example mounts a small disk there */
export async function startOwnCluster(t: Test, prepare: (folder: string) => void = () => {}): Promise<Cluster> {
  const bin = postgresBinaries ?? '';
  const base = await temporaryFolder(t);
  chmodSync(base, 0o711);
  const folder = join(base, 'cluster');
  const owner = asPostgres();
  mkdirSync(folder, { mode: 0o700 });
  prepare(folder);
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid);
  const data = join(folder, 'data');
  const port = await freePort();
  const { status, stderr } = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--wal-segsize=1'],
    { ...owner, cwd: '/', encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`initdb: ${stderr}`);

  let child: ChildProcess | undefined;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_wal_size=8MB'];
  const lives = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function start(): Promise<void> {
    const words = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    child = spawn(join(bin, 'postgres'), words, { ...owner, cwd: '/', stdio: 'ignore' });
    const address = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
    await eventually('the test’s Postgres answers', async () => {
      if (!lives()) throw new Error('the test’s Postgres ended');
      const sql = openClient(address, { max: 1, fetch_types: false });
      try {
        await sql`select 1`;
        return true;
      } catch {
        return false;
      } finally {
        await sql.end({ timeout: 1 });
      }
    });
  }

  async function stopAtOnce(): Promise<void> {
    if (!child || !lives()) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  }

  const signalAll = (signal: NodeJS.Signals) => {
    const pid = child?.pid ?? 0;
    for (const each of [pid, ...below(pid).map((one) => one.pid)]) {
      try {
        process.kill(each, signal);
      } catch (error) {
        // A session may have ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };

  t.teardown(async () => {
    if (lives()) signalAll('SIGCONT');
    await stopAtOnce();
  });
  await start();
  return {
    url,
    folder,
    lives,
    start,
    stopAtOnce,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  };
}
