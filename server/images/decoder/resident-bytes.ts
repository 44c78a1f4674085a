import { readFileSync } from 'node:fs';

/** Resident memory of a process in bytes, from Linux's /proc (a read of microseconds); 0 where it is not known. */
export function residentBytes(pid: number): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
