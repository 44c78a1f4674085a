/** Resident memory of a process and of what it started, read from /proc (Linux). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

type Process = { pid: number; parent: number; name: string; bytes: number };

/** The database is not the app; `unshare` stands before it where the server runs as root. */
export const DATABASE = /^(postgres|initdb|pg_ctl|unshare)/;

function readProcess(pid: number): Process | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return { pid, parent: Number(field('PPid')), name: field('Name'), bytes: Number(field('VmRSS')) * 1024 };
  } catch {
    // It has ended since it was listed.
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

/** The ids of all that descend from a process, the database included. */
export function processesBelow(pid: number): number[] {
  const all = listProcesses();
  const below = (parent: number): number[] =>
    all.filter((each) => each.parent === parent).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

/** The ids of what a process started itself. */
export const childrenOf = (pid: number): number[] =>
  listProcesses()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);

/** Resident bytes, of a page shared with other processes only this process's share. */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

export type Memory = {
  /** Resident bytes of the process itself. */
  app: number;
  /** Resident bytes of it and its descendants save the database; shared pages count in each process. */
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

/** The highest of each, over so many samples. */
export type Peak = Memory & { samples: number };

/** Samples until `stop` is called. */
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

/**
 * The highest resident bytes of one process from now on, as the system keeps them: samples of all processes take a tenth of a
 * processor from what is measured meanwhile.
 */
export function watchPeak(pid: number): () => number {
  // Forgets the highest so far (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
