/** Processes as Linux shows them. */
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

/** All that descend from one, those nearest to it first. */
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

/** The processes that decode pictures for the server with this pid. */
export const decodersOf = (server: number): number[] =>
  below(server).flatMap(({ pid, command }) => (command.includes('program/worker.js') ? [pid] : []));

/** Open file descriptors. */
export const openFiles = (pid: number): string[] => readdirSync(`/proc/${pid}/fd`);

/** Bytes of memory that a process holds; 0 for one that has ended. */
export function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Milliseconds of the processor that a process, its children, and those that it has outlived took: a tick is 10 ms. */
export function processorTime(pid: number): number {
  const own = (each: number) => {
    try {
      const stat = readFileSync(`/proc/${each}/stat`, 'utf8');
      // utime, stime, cutime, cstime: the 14th to the 17th field, the second one in brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
    } catch {
      return 0;
    }
  };
  return [pid, ...below(pid).map((one) => one.pid)].reduce((sum, each) => sum + own(each), 0);
}
