import { readFileSync } from 'node:fs';

/** Resident memory of a process in bytes, from /proc; 0 if unknown. */
export function residentBytes(pid: number): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Milliseconds per clock tick of /proc: USER_HZ is 100 on all architectures that Node supports. */
const TICK = 10;

/** Processor time of a process in milliseconds; undefined if unknown. */
export function processorMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, a name in brackets, may contain anything; utime and stime are fields 12 and 13 after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  } catch {
    return undefined;
  }
}
