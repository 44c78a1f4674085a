/** What a process costs, from Linux's /proc: a read of microseconds. */
import { readFileSync } from 'node:fs';

/** Resident memory of a process in bytes; 0 where it is not known. */
export function residentBytes(pid: number): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** A clock tick of /proc in milliseconds: USER_HZ is 100 on every architecture that Node runs on. */
const TICK = 10;

/** Milliseconds of processor time that a process has used; undefined where it is not known. */
export function processorMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, a name in brackets, may hold anything; utime and stime are the twelfth and thirteenth behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  } catch {
    return undefined;
  }
}
