/** Reads the resident memory of a process and its descendants from /proc (Linux). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

type Process = { pid: number; parent: number; name: string; bytes: number };

/** Processes of the database, which do not count as the app; a server run as root starts it through `unshare`. */
export const DATABASE = /^(postgres|initdb|pg_ctl|unshare)/;

function readProcess(pid: number): Process | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return { pid, parent: Number(field('PPid')), name: field('Name'), bytes: Number(field('VmRSS')) * 1024 };
  } catch {
    // The process has ended since it was listed.
    return undefined;
  }
}

function listProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

function descendants(all: Process[], parent: number): Process[] {
  const children = all.filter((each) => each.parent === parent && !DATABASE.test(each.name));
  return children.flatMap((child) => [child, ...descendants(all, child.pid)]);
}

/** @returns the ids of all descendants of a process, the database included */
export function processesBelow(pid: number): number[] {
  const all = listProcesses();
  const below = (parent: number): number[] =>
    all.filter((each) => each.parent === parent).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

/** @returns the ids of a process's direct children */
export const childrenOf = (pid: number): number[] =>
  listProcesses()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);

/** @returns resident bytes, with a proportional share of pages used by several processes (PSS) */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

export type Memory = {
  app: number;
  /** Resident bytes of it and its descendants without the database; shared pages count in each process. */
  all: number;
  /** The same with shared pages counted once. */
  proportional: number;
  processes: number;
};

export function residentMemory(pid: number): Memory {
  const all = listProcesses();
  const app = all.find((each) => each.pid === pid)?.bytes ?? 0;
  const others = descendants(all, pid);
  return {
    app,
    all: others.reduce((sum, { bytes }) => sum + bytes, app),
    proportional: others.reduce((sum, each) => sum + proportionalBytes(each.pid), proportionalBytes(pid)),
    processes: 1 + others.length,
  };
}

/** The maximum of each value over all samples. */
export type Peak = Memory & { samples: number };

export function watchMemory(pid: number, intervalMs: number) {
  const peak: Peak = { app: 0, all: 0, proportional: 0, processes: 0, samples: 0 };
  const sample = () => {
    const now = residentMemory(pid);
    peak.app = Math.max(peak.app, now.app);
    peak.all = Math.max(peak.all, now.all);
    peak.proportional = Math.max(peak.proportional, now.proportional);
    peak.processes = Math.max(peak.processes, now.processes);
    peak.samples += 1;
  };
  sample();
  const timer = setInterval(sample, intervalMs);
  return {
    now: () => residentMemory(pid),
    stop() {
      clearInterval(timer);
      sample();
      return peak;
    },
  };
}

/** @returns the peak resident bytes of a process from the kernel: sampling all processes costs a tenth of a processor */
export function watchPeak(pid: number): () => number {
  // Resets the peak (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
