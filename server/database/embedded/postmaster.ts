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
import { isPostgresOf, type PidFile, readPidFile, waitUntil } from './processes.ts';
import { settings } from './settings.ts';

/** The caller owns the folder, so no other start is running. */
export type StartParameters = {
  folder: string;
  cluster: string;
  binaries: Binaries;
  launcher: Launcher;
  address: Address;
};

export type Postmaster = { child: ChildProcess; log: ServerLog };

/** Whether a start can be retried: a predecessor's last processes may still hold the shared memory. */
export const isTransient = (reason: string): boolean =>
  /postmaster\.pid|shared memory block|is another postmaster/i.test(reason);

const STOP_TIMEOUT = 30_000;
const START_TIMEOUT = 60_000;
// Crash recovery replays the write-ahead log.
const RECOVERY_TIMEOUT = 600_000;

/**
 * Starts Postgres and resolves once it accepts queries.
 * @param onWait called when the process exists and only waiting is left
 * @throws DatabaseStartError with the last lines of the Postgres log
 */
export async function startPostmaster(parameters: StartParameters, onWait = () => {}): Promise<Postmaster> {
  for (let attempt = 0; ; attempt++) {
    const foreignPid = await stopOrphan(parameters);
    const { child, log } = launch(parameters, foreignPid);
    onWait();
    const failure = await waitUntilServing(child, parameters.address);
    if (failure === undefined) return { child, log };
    const reason = log.tail();
    await endChild(child, parameters.binaries);
    log.close();
    if (attempt < 10 && isTransient(reason)) {
      await sleep(100 * (attempt + 1));
      continue;
    }
    throw new DatabaseStartError(
      `The embedded Postgres did not start in ${parameters.folder}: ${oneLine(reason).slice(-800) || failure} (its log: ${log.path})`,
    );
  }
}

/** Stops a Postgres whose server was killed. Returns the pid from postmaster.pid if another program has it now. */
export async function stopOrphan({ cluster, binaries }: StartParameters): Promise<number | undefined> {
  const file = await writtenPidFile(cluster);
  if (file === undefined) return undefined;
  const { pid } = file;
  if (!(await isPostgresOf(cluster, pid))) return pid;
  await stopProcess(pid, binaries, async () => !(await isPostgresOf(cluster, pid)));
  return undefined;
}

/** Waits briefly if the file is empty: a server may be about to write it, or a power cut emptied it. */
async function writtenPidFile(cluster: string): Promise<PidFile | undefined> {
  await waitUntil(() => readPidFile(cluster) !== 'empty', 500);
  const file = readPidFile(cluster);
  if (file !== 'empty') return file;
  rmSync(join(cluster, 'postmaster.pid'));
  return undefined;
}

/** Tries a "fast" shutdown, then an "immediate" one, which requires recovery, then SIGKILL. */
async function stopProcess(pid: number, binaries: Binaries, isGone: () => boolean | Promise<boolean>): Promise<void> {
  await signal(pid, 'SIGINT', binaries);
  if (await waitUntil(isGone, STOP_TIMEOUT)) return;
  await signal(pid, 'SIGQUIT', binaries);
  if (await waitUntil(isGone, 5000)) return;
  await signal(pid, 'SIGKILL', binaries);
  await waitUntil(isGone, 5000);
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

function launch({ folder, cluster, binaries, launcher, address }: StartParameters, foreignPid?: number): Postmaster {
  const log = openLog(folder);
  const { command, args, options } = commandOf(launcher, binaries.postgres, ['-D', cluster, ...settings(address)]);
  const child = spawn(command, args, {
    ...options,
    // Postgres ignores a stale postmaster.pid that holds an ancestor's pid. Declaring a foreign pid as one keeps its
    // check of the shared memory, which removing the file would skip.
    env: { ...options.env, ...(foreignPid && { PG_GRANDPARENT_PID: String(foreignPid) }) },
    // A separate session: Ctrl-C in the terminal must not stop Postgres, which uploads in progress still need.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log.handle, log.handle],
  });
  child.on('error', () => {});
  // On process.exit() without stop(): nothing can wait, but Postgres should not be left running.
  const interrupt = () => void child.kill('SIGINT');
  process.once('exit', interrupt);
  child.once('exit', () => process.removeListener('exit', interrupt));
  return { child, log };
}

export const hasExited = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

/** Returns undefined once it serves, or why it does not. */
async function waitUntilServing(child: ChildProcess, address: Address): Promise<string | undefined> {
  const probe = openClient(address, { max: 1, backoff: () => 0.01, connect_timeout: 5 });
  const begun = Date.now();
  let last = '';
  try {
    for (;;) {
      if (hasExited(child)) return 'it ended at once';
      const answered = await probe`select 1`.catch((error: unknown) => {
        last = codeOf(error) ?? String(error);
      });
      if (answered) return undefined;
      if (Date.now() - begun > (last === '57P03' ? RECOVERY_TIMEOUT : START_TIMEOUT))
        return `it does not answer (${last})`;
      await sleep(10);
    }
  } finally {
    await probe.end({ timeout: 1 });
  }
}

export async function endChild(child: ChildProcess, binaries: Binaries): Promise<void> {
  if (hasExited(child) || child.pid === undefined) return;
  await stopProcess(child.pid, binaries, () => hasExited(child));
}
