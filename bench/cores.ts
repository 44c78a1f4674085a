import { spawnSync } from 'node:child_process';
import { processesBelow } from './processes.ts';
import { tool } from './tools.ts';

/** Lets a process, its threads and all that descends from it run on these cores alone, from now on: `0`, `0,1` */
export function pin(pid: number, cores: string): void {
  for (const each of [pid, ...processesBelow(pid)]) {
    // One may have ended since it was listed.
    spawnSync(tool('taskset'), ['-a', '-c', '-p', cores, String(each)], { stdio: 'ignore' });
  }
}
