import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Control group files by version (cgroup-v1/memory.rst, cgroup-v2.rst). */
const FILES = [
  { mount: 'sys/fs/cgroup', limit: 'memory.max', used: 'memory.current', prefix: '' },
  { mount: 'sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', used: 'memory.usage_in_bytes', prefix: 'total_' },
] as const;

/** Memory that the kernel reclaims before an allocation fails: file, name and inode caches. */
const TAKEN_BACK = ['inactive_file', 'active_file', 'slab_reclaimable'];

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function numberIn(text: string | undefined, pattern: RegExp): number | undefined {
  const found = pattern.exec(text ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Available memory of the machine, including swap; infinite if unknown. */
function leftOfMachine(root: string): number {
  const info = read(join(root, 'proc/meminfo'));
  const available = numberIn(info, /^MemAvailable:\s+(\d+)/m);
  if (available === undefined) return Number.POSITIVE_INFINITY;
  return (available + (numberIn(info, /^SwapFree:\s+(\d+)/m) ?? 0)) * 1024;
}

/** Infinite if the group has no limit or does not exist. */
function leftOfGroup(folder: string, { limit, used, prefix }: (typeof FILES)[number]): number {
  const bytes = Number(read(join(folder, limit))?.trim() || Number.NaN);
  if (!Number.isFinite(bytes)) return Number.POSITIVE_INFINITY;
  const stat = read(join(folder, 'memory.stat'));
  const cached = TAKEN_BACK.map((name) => numberIn(stat, new RegExp(`^${prefix}${name} (\\d+)`, 'm')) ?? 0);
  return bytes - Number(read(join(folder, used)) ?? 0) + cached.reduce((sum, one) => sum + one, 0);
}

/** The control groups of this process. In a container with the host's path, only the outermost one is found. */
function groups(root: string): { folder: string; files: (typeof FILES)[number] }[] {
  const own = read(join(root, 'proc/self/cgroup')) ?? '';
  const paths = [/^0::(\/.*)$/m, /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(\/.*)$/m].map(
    (pattern) => pattern.exec(own)?.[1],
  );
  return FILES.flatMap((files, version) => {
    const found = [];
    for (let path = paths[version]; path !== undefined; path = path === '/' ? undefined : dirname(path)) {
      found.push({ folder: join(root, files.mount, path), files });
    }
    return found;
  });
}

/**
 * Bytes available to this process and its children, including reclaimable caches; infinite if unknown. Unlike
 * `process.availableMemory()`, it does not count a group's file cache as used. Takes about ten microseconds per group.
 */
export function memoryLeft(root = '/'): number {
  const machine = leftOfMachine(root);
  return groups(root).reduce((least, { folder, files }) => Math.min(least, leftOfGroup(folder, files)), machine);
}
