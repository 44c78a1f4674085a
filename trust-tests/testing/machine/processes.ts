/** Reads processes from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

type Seen = { pid: number; parent: number; command: string };

function seen(pid: number): Seen | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (/^State:\s*Z/m.test(status)) return undefined;
    const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
    return { pid, parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  } catch {
    return undefined;
  }
}

export const lives = (pid: number): boolean => seen(pid) !== undefined;

/** @returns all descendants of a process, the nearest first */
export function below(pid: number): Seen[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => seen(Number(name)) ?? []);
  const children = (of: number): Seen[] => {
    const own = all.filter(({ parent }) => parent === of);
    return [...own, ...own.flatMap((child) => children(child.pid))];
  };
  return children(pid);
}

/** @returns the pids of a server's decoders */
export const decodersOf = (server: number): number[] =>
  below(server).flatMap(({ pid, command }) => (command.includes('program/worker.js') ? [pid] : []));

export const openFiles = (pid: number): string[] => readdirSync(`/proc/${pid}/fd`);

/** @returns the resident bytes of a process; 0 if it has ended */
export function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** @returns milliseconds of processor time of a process, its descendants and ended children (ticks of 10 ms) */
export function processorTime(pid: number): number {
  const own = (each: number) => {
    try {
      const stat = readFileSync(`/proc/${each}/stat`, 'utf8');
      // utime, stime, cutime and cstime are fields 14 to 17; the second field is in brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
    } catch {
      return 0;
    }
  };
  return [pid, ...below(pid).map((one) => one.pid)].reduce((sum, each) => sum + own(each), 0);
}
