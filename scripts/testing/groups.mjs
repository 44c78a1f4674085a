// Test files that share a process. A program for each file would take some 2 s of processor time where it imports the
// server. Instead there are a few, and each imports one file after the other, whichever is next.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './compile.mjs';

const folder = join('build', 'groups');
const sizeOf = (file) => statSync(join(root, file)).size;

/** The client's files stay alone: they load in a moment, and its modules hold what a page has once, such as the language. */
const isAlone = (file) => file.startsWith('build/client-tests');

/** @returns {string[]} the programs to run in place of the files: so many that share them, and those of the client */
export function group(files, jobs) {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const taken = mkdtempSync(join(root, folder, 'taken-'));
  // Large files first: the last ones to end are then small, and no process is long alone.
  const together = files.filter((file) => !isAlone(file)).sort((one, other) => sizeOf(other) - sizeOf(one));
  const programs = Array.from({ length: Math.min(jobs, together.length) }, (_, index) => {
    const file = join(folder, `${index + 1}.test.js`);
    writeFileSync(join(root, file), source(together, taken));
    return file;
  });
  return [...programs, ...files.filter(isAlone)];
}

/**
 * Reads the lines of a program that runs several files.
 * @param {(file: string, seconds: number, failed: boolean) => void} ended
 */
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

/** Each file is imported in a test, behind those of the file before. What it tears down is torn down at its own end. */
const source = (files, taken) => `import { mkdirSync } from 'node:fs';
import t from 'tap';

const files = ${JSON.stringify(files.map((file) => [file, pathToFileURL(join(root, file)).href]))};
const ends = [];
t.setTimeout(3_600_000);
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
