/** Processor time of a server and of what it started, read from /proc (Linux). */
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
    // utime, stime, cutime, cstime: a child that has ended counts with its parent.
    const ms = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
    return { pid, parent: Number(fields[1]), name, ms };
  } catch {
    return undefined; // it has ended since it was listed
  }
}

/** `server`: the process and all it started save the database; `database`: Postgres, where it is embedded. */
export type ProcessorTime = { server: number; database: number };

/** Milliseconds since each was born. */
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
/** Longer than the product waits after the last picture before it makes what may come late. */
const QUIET_MS = 4_000;
const MAX_MS = 600_000;

/** Waits until a server has ended what it does behind its answers. @throws Error after ten minutes */
export async function untilQuiet(pid: number): Promise<void> {
  const begun = Date.now();
  let before = processorTime(pid).server;
  for (let quietSince = begun; Date.now() - quietSince < QUIET_MS; ) {
    await sleep(LOOK_MS);
    const now = processorTime(pid).server;
    // A tick is what waiting and looking after itself may cost.
    if (now - before > TICK_MS) quietSince = Date.now();
    if (Date.now() - begun > MAX_MS) throw new Error('the server does not come to rest');
    before = now;
  }
}
