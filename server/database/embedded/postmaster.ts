import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Address } from '../address.ts';
import { openClient } from '../client.ts';
import { codeOf, DatabaseStartError } from '../start-error.ts';
import type { Binaries } from './binaries.ts';
import { commandOf, type Launcher, oneLine } from './launcher.ts';
import { openLog, type ServerLog } from './log-file.ts';
import { isPostgresOf, type PidFile, readPidFile, until } from './processes.ts';
import { settings } from './settings.ts';

/** All that a start needs to know; the caller owns the folder, so that no other start is under way. */
export type Place = { folder: string; cluster: string; binaries: Binaries; launcher: Launcher; address: Address };

/** A running server, our child. */
export type Postmaster = { child: ChildProcess; log: ServerLog };

/** A predecessor's last processes may need a moment to go, and hold the shared memory until then. */
export const mayPass = (reason: string): boolean =>
  /postmaster\.pid|shared memory block|is another postmaster/i.test(reason);

const STOP_BOUND = 30_000;
const START_BOUND = 60_000;
// Replays what a crash left in the write-ahead log.
const RECOVERY_BOUND = 600_000;

/**
 * Starts Postgres and answers when it serves.
 * @param onWait told when its process is there, and the rest is its own work
 * @throws DatabaseStartError with the last lines of Postgres' own log.
 */
export async function startPostmaster(place: Place, onWait = () => {}): Promise<Postmaster> {
  for (let attempt = 0; ; attempt++) {
    const strangerPid = await stopLeftBehind(place);
    const { child, log } = launch(place, strangerPid);
    onWait();
    const failure = await serving(child, place.address);
    if (failure === undefined) return { child, log };
    const reason = log.tail();
    await endChild(child, place.binaries);
    log.close();
    if (attempt < 10 && mayPass(reason)) {
      await sleep(100 * (attempt + 1));
      continue;
    }
    throw new DatabaseStartError(
      `The embedded Postgres did not start in ${place.folder}: ${oneLine(reason).slice(-800) || failure} (its log: ${log.path})`,
    );
  }
}

/**
 * Stops a server whose app was killed. Answers the id in postmaster.pid when it now belongs to a process that is not
 * this cluster's Postgres.
 */
export async function stopLeftBehind({ cluster, binaries }: Place): Promise<number | undefined> {
  const file = await writtenPidFile(cluster);
  if (file === undefined) return undefined;
  const { pid } = file;
  if (!(await isPostgresOf(cluster, pid))) return pid;
  await stopProcess(pid, binaries, async () => !(await isPostgresOf(cluster, pid)));
  return undefined;
}

/** An empty file is what a power cut leaves, or a server that is about to write it. */
async function writtenPidFile(cluster: string): Promise<PidFile | undefined> {
  await until(() => readPidFile(cluster) !== 'empty', 500);
  const file = readPidFile(cluster);
  if (file !== 'empty') return file;
  rmSync(join(cluster, 'postmaster.pid'));
  return undefined;
}

/** "Fast": sessions are cut, everything is written. Then "immediate", which the next start recovers from. */
async function stopProcess(pid: number, binaries: Binaries, gone: () => boolean | Promise<boolean>): Promise<void> {
  await signal(pid, 'SIGINT', binaries);
  if (await until(gone, STOP_BOUND)) return;
  await signal(pid, 'SIGQUIT', binaries);
  if (await until(gone, 5000)) return;
  await signal(pid, 'SIGKILL', binaries);
  await until(gone, 5000);
}

export async function signal(
  pid: number,
  name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' | 'SIGHUP',
  binaries: Binaries,
): Promise<void> {
  try {
    if (process.platform !== 'win32') process.kill(pid, name);
    else await promisify(execFile)(binaries.pgCtl, ['kill', name.replace('SIG', ''), String(pid)]);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function launch({ folder, cluster, binaries, launcher, address }: Place, strangerPid?: number): Postmaster {
  const log = openLog(folder);
  const { command, args, options } = commandOf(launcher, binaries.postgres, ['-D', cluster, ...settings(address)]);
  const child = spawn(command, args, {
    ...options,
    // Postgres passes over a left postmaster.pid when its id is that of its own ancestors. Told so of an id that now
    // is a stranger's, it still looks after the shared memory itself, which removing the file would make it skip.
    env: { ...options.env, ...(strangerPid && { PG_GRANDPARENT_PID: String(strangerPid) }) },
    // A session of its own: the terminal's Ctrl-C is for the app alone, whose uploads in flight still need the database.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log.handle, log.handle],
  });
  child.on('error', () => {});
  // process.exit() before it was stopped: nobody is left to wait, but Postgres need not stay behind.
  const lastWish = () => void child.kill('SIGINT');
  process.once('exit', lastWish);
  child.once('exit', () => process.removeListener('exit', lastWish));
  return { child, log };
}

export const hasEnded = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

/** Answers why it does not serve, or nothing when it does. */
async function serving(child: ChildProcess, address: Address): Promise<string | undefined> {
  const probe = openClient(address, { max: 1, backoff: () => 0.01, connect_timeout: 5 });
  const begun = Date.now();
  let last = '';
  try {
    for (;;) {
      if (hasEnded(child)) return 'it ended at once';
      const answered = await probe`select 1`.catch((error: unknown) => {
        last = codeOf(error) ?? String(error);
      });
      if (answered) return undefined;
      if (Date.now() - begun > (last === '57P03' ? RECOVERY_BOUND : START_BOUND)) return `it does not answer (${last})`;
      await sleep(10);
    }
  } finally {
    await probe.end({ timeout: 1 });
  }
}

/** Stops the server and waits for its end. */
export async function endChild(child: ChildProcess, binaries: Binaries): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  await stopProcess(child.pid, binaries, () => hasEnded(child));
}
