/** Limits the memory of a process and its children together (cgroup v1), or of each process (rlimit). */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { eventually } from '../../../server/testing/eventually.ts';

const root = '/sys/fs/cgroup/memory';

export type MemoryBound = {
  command: (server: readonly string[]) => string[];
  /** @returns the peak in bytes, if known */
  peak: () => number | undefined;
};

export function boundMemory(t: Test, bytes: number): MemoryBound {
  const folder = join(root, `gallery-test-${randomUUID()}`);
  try {
    if (!existsSync(join(root, 'memory.limit_in_bytes'))) throw new Error('no cgroup v1');
    mkdirSync(folder);
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(bytes));
  } catch {
    return { command: (server) => ['prlimit', `--data=${bytes}`, ...server], peak: () => undefined };
  }
  t.teardown(() =>
    eventually('the cgroup is removed', () => {
      try {
        rmdirSync(folder);
        return true;
      } catch {
        return !existsSync(folder);
      }
    }),
  );
  return {
    command: (server) => ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs'), ...server],
    peak: () => Number(readFileSync(join(folder, 'memory.max_usage_in_bytes'), 'utf8')),
  };
}
