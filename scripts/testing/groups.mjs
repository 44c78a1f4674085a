// Groups of test files that share a process, since loading the server takes 2 s of processor time per process, and a browser's
// driver another one. Each process repeatedly imports the next free file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './compile.mjs';

const folder = join('build', 'groups');
const sizeOf = (file) => statSync(join(root, file)).size;
const isLong = (file) => /^t\.setTimeout\(/m.test(readFileSync(join(root, file), 'utf8'));

/** The client's files run alone: they load fast, and its modules hold state of one page, such as the language. */
const isAlone = (file) => file.startsWith('build/client-tests');

/** @returns {string[]} the programs to run: `jobs` shared ones, and the client's files. Each test may take `timeout` seconds. */
export function group(files, jobs, timeout) {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const taken = mkdtempSync(join(root, folder, 'taken-'));
  // Files that ask for more time and large files first, so that all processes end at about the same time.
  const together = files
    .filter((file) => !isAlone(file))
    .map((file) => ({ file, long: Number(isLong(file)), size: sizeOf(file) }))
    .sort((one, other) => other.long - one.long || other.size - one.size)
    .map(({ file }) => file);
  const programs = Array.from({ length: Math.min(jobs, together.length) }, (_, index) => {
    const file = join(folder, `${index + 1}.test.js`);
    writeFileSync(join(root, file), source(together, taken, timeout * 1000));
    return file;
  });
  return [...programs, ...files.filter(isAlone)];
}

/** @param {(file: string, seconds: number, failed: boolean) => void} ended called for each file that a group has run */
export function watchGroup(ended) {
  let failed = false;
  return (line) => {
    failed ||= /^ *not ok \d+(?!.*# TODO)/.test(line);
    const [, seconds, file] = /^ *# took ([\d.]+) s: (\S+)$/.exec(line) ?? [];
    if (file === undefined) return;
    ended(file, Number(seconds), failed);
    failed = false;
  };
}

/** Imports each file in a test, after those of the previous file; its teardowns run at its own end. */
const source = (files, taken, timeout) => `import { mkdirSync } from 'node:fs';
import t from 'tap';

const files = ${JSON.stringify(files.map((file) => [file, pathToFileURL(join(root, file)).href]))};
const ends = [];
// The process may take as long as it needs, each test as long as its file allows.
t.setTimeout(3_600_000);
let timeout = ${timeout};
t.setTimeout = (ms) => {
  timeout = ms;
};
const test = t.test;
t.test = (name, ...rest) => {
  const options = typeof rest[0] === 'object' ? rest.shift() : {};
  return test(name, { timeout, ...options }, ...rest);
};
t.teardown = (end) => void ends.push(end);

function isFree(index) {
  try {
    mkdirSync(${JSON.stringify(taken)} + '/' + index);
    return true;
  } catch {
    return false;
  }
}

function load() {
  const next = files.find((_, index) => isFree(index));
  if (next === undefined) return;
  const [name, url] = next;
  const start = performance.now();
  timeout = ${timeout};
  t.test(name, async () => {
    try {
      await import(url);
    } finally {
      t.test(\`end of \${name}\`, async (t) => {
        for (const end of ends.splice(0).reverse()) await end();
        t.comment(\`took \${((performance.now() - start) / 1000).toFixed(1)} s: \${name}\`);
        load();
      });
    }
  });
}
load();
`;
