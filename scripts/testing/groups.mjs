// Test files that share a process. tap starts one for each file, which takes some 2.5 s of processor time where a file
// imports the server. A group is a test file that imports others, one after the other. The client's files stay alone:
// they load in a moment, and its modules hold what a page has once, such as the language.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './compile.mjs';

const folder = join('build', 'groups');
const ofServer = 8;

/** @returns {string[]} files for tap to run in place of the others */
export function group(files) {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
  const groups = Array.from({ length: ofServer }, () => []);
  const alone = files.filter((file) => file.startsWith('build/client-tests'));
  const together = files.filter((file) => !alone.includes(file));
  for (const [index, file] of together.entries()) groups[index % ofServer].push(file);
  const made = groups
    .filter((members) => members.length > 0)
    .map((members, index) => {
      const file = join(folder, `${index + 1}.test.js`);
      writeFileSync(join(root, file), source(members));
      return file;
    });
  return [...made, ...alone];
}

/** Each file is imported in a test, behind those of the file before, so that the test above it never runs out of tests. */
const source = (files) => `import t from 'tap';

const files = ${JSON.stringify(files.map((file) => [file, relative(folder, file).replaceAll('\\', '/')]))};

function load(index) {
  const [name, path] = files[index];
  t.setTimeout(900_000);
  t.test(name, async () => {
    const start = performance.now();
    await import(path);
    t.test(\`end of \${name}\`, async (t) => {
      t.comment(\`took \${((performance.now() - start) / 1000).toFixed(1)} s: \${name}\`);
      if (index + 1 < files.length) load(index + 1);
    });
  });
}
load(0);
`;
