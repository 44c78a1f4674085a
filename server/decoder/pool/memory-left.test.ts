import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Test, test } from 'tap';
import { memoryLeft } from './memory-left.ts';

function rootWith(t: Test, files: Record<string, string>): string {
  const root = t.testdir();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const meminfo =
  'MemTotal:        8000000 kB\nMemFree:          100000 kB\nMemAvailable:    3000000 kB\nSwapFree:        1000000 kB\n';
const ofMachine = 4_000_000 * 1024;
const stat = 'anon 900\ninactive_file 30\nactive_file 2\nunevictable 0\nslab_reclaimable 10\n';
const oldStat = `inactive_file 1\n${stat.replace(/^(?=[ias])/gm, 'total_')}`;

test('without control groups, the machine’s available memory counts', async (t) => {
  t.equal(memoryLeft(rootWith(t, { 'proc/meminfo': meminfo })), ofMachine);
});

test('on other systems the memory is unlimited', async (t) => {
  t.equal(memoryLeft(rootWith(t, {})), Number.POSITIVE_INFINITY);
  t.equal(memoryLeft(rootWith(t, { 'proc/meminfo': 'MemTotal: 8000000 kB\n' })), Number.POSITIVE_INFINITY, 'old ones');
});

test('a version 2 control group’s file cache counts as free', async (t) => {
  const folder = 'sys/fs/cgroup/a/b';
  const files = {
    'proc/meminfo': meminfo,
    'proc/self/cgroup': '0::/a/b\n',
    [`${folder}/memory.max`]: '1000\n',
    [`${folder}/memory.current`]: '700\n',
    [`${folder}/memory.stat`]: stat,
  };
  t.equal(memoryLeft(rootWith(t, files)), 342);
  t.equal(memoryLeft(rootWith(t, { ...files, [`${folder}/memory.max`]: 'max\n' })), ofMachine, 'without a limit');
});

test('a version 1 control group limits the memory', async (t) => {
  const files = {
    'proc/meminfo': meminfo,
    'proc/self/cgroup': '4:memory:/a\n0::/\n',
    'sys/fs/cgroup/memory/a/memory.limit_in_bytes': '1000\n',
    'sys/fs/cgroup/memory/a/memory.usage_in_bytes': '700\n',
    'sys/fs/cgroup/memory/a/memory.stat': oldStat,
  };
  t.equal(memoryLeft(rootWith(t, files)), 342);
});

test('the strictest enclosing group limits a process, also in a container', async (t) => {
  const around = {
    'proc/meminfo': meminfo,
    'sys/fs/cgroup/memory.max': '500\n',
    'sys/fs/cgroup/memory.current': '100\n',
  };
  const inner = { 'sys/fs/cgroup/a/memory.max': '1000\n', 'sys/fs/cgroup/a/memory.current': '100\n' };
  t.equal(memoryLeft(rootWith(t, { ...around, ...inner, 'proc/self/cgroup': '0::/a\n' })), 400, 'a parent');
  t.equal(memoryLeft(rootWith(t, { ...around, 'proc/self/cgroup': '0::/docker/0123\n' })), 400, 'a container');
});
