import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf } from '../start-error.ts';

/** The contents of postmaster.pid; that process may no longer be Postgres. */
export type PidFile = { pid: number; port: number; socketFolder: string };

export function readPidFile(cluster: string): PidFile | 'empty' | undefined {
  try {
    const [pid, , , port, socketFolder = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    if (!Number(pid)) return 'empty';
    return { pid: Math.abs(Number(pid)), port: Number(port) || 5432, socketFolder: socketFolder.trim() };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the process is a Postgres that runs on this cluster: pids are reused, so the number alone proves nothing. */
export async function isPostgresOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    try {
      const program = basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '');
      return program === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    } catch {
      return false;
    }
  }
  if (process.platform === 'win32') {
    const list = await promisify(execFile)('tasklist', ['/FI', `PID eq ${pid}`, '/NH']).catch(() => ({ stdout: '' }));
    return list.stdout.includes('postgres.exe');
  }
  const list = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return list.stdout.includes('postgres') && list.stdout.includes(cluster);
}

/** Resolves to true once the condition holds, or to false after `timeout` ms. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, timeout: number): Promise<boolean> {
  const end = Date.now() + timeout;
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    if (await condition()) return true;
    if (Date.now() > end) return false;
    await sleep(pause);
  }
}
