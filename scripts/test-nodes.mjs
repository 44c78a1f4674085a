// `npm run test:nodes`: on a Node of each supported line, the README's first command in a fresh clone, and then the tests.
//   npm run test:nodes                  what the gate runs on one Node, on the pinned ones (testing/node-lines.json)
//   npm run test:nodes -- --newest      on the newest of each line
//   npm run test:nodes -- 24 26.0.0     on these only: pinned lines and exact versions
//   npm run test:nodes -- --gate        the part that .ci/run needs: other lines than this Node's, and only the rooms below
//   npm run test:nodes -- --fetch       downloads what the cache does not have, and prints the folders
// A Node that the registry does not have is a failure. The clone contains what is committed; the tests run in this checkout.
import './node-version.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './testing/compile.mjs';
import { countTests, printCounts } from './testing/counted.mjs';
import { exactNode, fetchNode, installNode, newestNodes, pinnedNodes } from './testing/node-lines.mjs';
import { lineOf } from './testing/npm-packages.mjs';

/** What depends most on Node: processes, sockets, files. */
const rooms = ['server/decoder', 'server/storage', 'server/database', 'server/workers'];

const words = process.argv.slice(2);
const [gate, newest] = ['--gate', '--newest'].map((option) => words.includes(option));
const kinds = gate ? { 'four rooms': rooms } : { 'npm test': [], ...kindsOf('postgres', 'smoke', 'browser') };

function kindsOf(...names) {
  return Object.fromEntries(names.map((name) => [name, [`--${name}`]]));
}

/** @returns {{ name: string, find: () => import('./testing/node-lines.mjs').Node }[]} */
function chosen() {
  const named = words.filter((word) => !word.startsWith('-'));
  const pinned = pinnedNodes();
  const found = newest ? newestNodes() : pinned;
  const lines = Object.keys({ ...pinned, ...found }).filter((line) => !gate || line !== lineOf(process.versions.node));
  return (named.length > 0 ? named : lines).map((name) => ({
    name,
    find: () => found[name] ?? exactNode(name),
  }));
}

/** The settings of this machine's npm, such as its registry: npm looks for them beside its Node. */
const globalConfig = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' }).trim();

/**
 * `npm ci && npm start` in a fresh clone with an empty environment, as a new user. The gate links what its own `npm ci` installed: no
 * install script runs, so every Node installs the same.
 */
function followReadme(path) {
  const begun = performance.now();
  const home = mkdtempSync(join(tmpdir(), 'gallery-readme-'));
  const clone = join(home, 'clone');
  const env = { HOME: homedir(), PATH: path, TMPDIR: home, npm_config_globalconfig: globalConfig };
  const done = (command, args, options) => spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0;
  const passed =
    done('git', ['-c', 'safe.directory=*', 'clone', '--quiet', root, clone]) &&
    ((gate && done('cp', ['-al', join(root, 'node_modules'), clone])) || done('npm', ['ci'], { cwd: clone, env })) &&
    done('node', ['.ci/first-use.mjs', '--once'], { cwd: clone, env });
  rmSync(home, { recursive: true, force: true });
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { passed: Number(passed), failed: Number(!passed), seconds };
}

if (words.includes('--fetch')) {
  try {
    for (const { find } of chosen()) console.log(fetchNode(find()));
    process.exit();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
const rows = [];
for (const { name, find } of chosen()) {
  let bin;
  try {
    const node = find();
    console.log(`\n=== Node ${node.version}`);
    bin = installNode(node);
    const path = `${bin}${delimiter}${process.env.PATH}`;
    const env = { ...process.env, PATH: path, npm_config_globalconfig: globalConfig };
    rows.push({ name: `Node ${node.version}, README`, ...followReadme(path) });
    for (const [kind, args] of Object.entries(kinds))
      rows.push({ name: `Node ${node.version}, ${kind}`, ...(await countTests('test.mjs', args, env)) });
  } catch (error) {
    rows.push({ name: `Node ${name}`, passed: 0, failed: 1, why: error.message });
  } finally {
    if (bin) rmSync(bin, { recursive: true, force: true });
  }
}
printCounts(rows);
