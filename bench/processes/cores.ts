import { spawnSync } from 'node:child_process';
import { tool } from '../tools/tools.ts';
import { processesBelow } from './processes.ts';

/** Restricts a process, its threads and all its descendants to these cores: `0`, `0,1` */
export function pin(pid: number, cores: string): void {
  for (const each of [pid, ...processesBelow(pid)]) {
    // A listed process may have ended.
    spawnSync(tool('taskset'), ['-a', '-c', '-p', cores, String(each)], { stdio: 'ignore' });
  }
}
