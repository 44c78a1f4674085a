import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { stampOf } from './stamp.mjs';
import { buildDir, root, targets } from './targets.mjs';

export { targets };

/** A failed build. The message is the closing line; the tools' own output is already printed. */
export class BuildFailed extends Error {}

/**
 * Builds stale targets in parallel, each in a temporary folder that is renamed into place when it is complete. A running
 * server never sees half a build, and a failed build keeps the last good one.
 * @throws {BuildFailed}
 */
export async function build(names) {
  if (staleOf(names).length === 0) return;
  prepare();
  await withLock(join(buildDir, '.lock'), async () => {
    const stale = staleOf(names);
    if (stale.length === 0) return;
    sweep();
    const start = Date.now();
    console.error(`Building ${stale.map(({ name }) => name).join(' and ')} …`);
    const made = await Promise.allSettled(stale.map(make));
    const failed = stale.filter((_, index) => made[index].status === 'rejected').map(({ name }) => name);
    const unexpected = made.find(({ reason }) => reason !== undefined && !(reason instanceof BuildFailed));
    if (unexpected !== undefined) throw unexpected.reason;
    if (failed.length > 0) throw new BuildFailed(`The build failed: ${failed.join(' and ')}.`);
    console.error(`Built in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  });
}

/** Marks a target as stale, because something else will write its output. */
export function forget(name) {
  rmSync(stampPath(name), { force: true });
}

function staleOf(names) {
  return names.map((name) => ({ name, stamp: stamp(name) })).filter((target) => !isFresh(target));
}

function stamp(name) {
  const { inputs, counts } = targets[name];
  return stampOf(root, inputs, counts);
}

const stampPath = (name) => join(buildDir, `${name}.stamp`);

function isFresh({ name, stamp }) {
  if (!existsSync(stampPath(name)) || !existsSync(join(buildDir, targets[name].proof))) return false;
  return readFileSync(stampPath(name), 'utf8') === stamp;
}

function prepare() {
  try {
    mkdirSync(buildDir, { recursive: true });
    mkdirSync(join(buildDir, `.writable-${process.pid}`));
    rmSync(join(buildDir, `.writable-${process.pid}`), { recursive: true });
  } catch (error) {
    throw new BuildFailed(`build/ is out of date, and this user cannot write to it (${error.code}).`);
  }
}

/** Removes what killed builds have left. */
function sweep() {
  for (const name of readdirSync(buildDir)) {
    if (/^\.(making|old)-/.test(name)) rmSync(join(buildDir, name), { recursive: true, force: true });
  }
}

async function make({ name, stamp }) {
  const target = targets[name];
  if (!existsSync(target.needs)) throw failure('The build tools are not installed: run "npm ci" first.');
  const outDir = join(buildDir, `.making-${name}-${process.pid}`);
  try {
    let output = '';
    for (const command of target.commands(outDir)) output = await run(command);
    if (target.reports) console.error(output);
    replace(name, outDir);
    writeFileSync(stampPath(name), stamp);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

function failure(text) {
  console.error(text);
  return new BuildFailed(text);
}

function replace(name, outDir) {
  const oldDir = join(buildDir, `.old-${name}-${process.pid}`);
  mkdirSync(oldDir);
  forget(name);
  for (const folder of targets[name].outputs) {
    const place = join(buildDir, folder);
    if (existsSync(place)) renameSync(place, join(oldDir, folder));
    if (existsSync(join(outDir, folder))) renameSync(join(outDir, folder), place);
  }
  rmSync(oldDir, { recursive: true });
}

async function run(command) {
  // Overrides the user's NODE_ENV, which could select React's slow development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const text = Buffer.concat(output).toString().trimEnd();
  if (code !== 0) throw failure(text);
  return text;
}
