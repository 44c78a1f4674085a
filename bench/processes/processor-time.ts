/** Reads the processor time of a server and its descendants from /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE } from './processes.ts';

type Process = { pid: number; parent: number; name: string; ms: number };

/** A clock tick of /proc: USER_HZ is 100 on every architecture that Node runs on. */
const TICK_MS = 10;

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const end = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const fields = stat.slice(end + 2).split(' ');
    // utime, stime, cutime and cstime: an ended child counts with its parent.
    const ms = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
    return { pid, parent: Number(fields[1]), name, ms };
  } catch {
    return undefined; // the process has ended since it was listed
  }
}

/** `server`: the process and its descendants without the database; `database`: an embedded Postgres. */
export type ProcessorTime = { server: number; database: number };

/** @returns milliseconds since each process started */
export function processorTime(pid: number): ProcessorTime {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const time = { server: 0, database: 0 };
  const add = (each: Process, isDatabase: boolean) => {
    const database = isDatabase || DATABASE.test(each.name);
    time[database ? 'database' : 'server'] += each.ms;
    for (const child of all) if (child.parent === each.pid) add(child, database);
  };
  const top = all.find((each) => each.pid === pid);
  if (top !== undefined) add(top, false);
  return time;
}

const LOOK_MS = 250;
/** Longer than the product waits after the last picture before it starts background renditions. */
const QUIET_MS = 4_000;
const MAX_MS = 600_000;

/** Waits until a server has finished its background work. @throws Error after ten minutes */
export async function untilQuiet(pid: number): Promise<void> {
  const begun = Date.now();
  let before = processorTime(pid).server;
  for (let quietSince = begun; Date.now() - quietSince < QUIET_MS; ) {
    await sleep(LOOK_MS);
    const now = processorTime(pid).server;
    // One tick may be spent on timers and housekeeping.
    if (now - before > TICK_MS) quietSince = Date.now();
    if (Date.now() - begun > MAX_MS) throw new Error('the server does not come to rest');
    before = now;
  }
}
