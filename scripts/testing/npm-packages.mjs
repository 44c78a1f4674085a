// Packages from npm that only tests use: they are kept in the user's cache between runs, outside the repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'encryption-gallery');

/**
 * @param {string} range such as "^22.13.0 || >=24": pre-releases only if it names them
 * @returns {{ version: string, integrity: string }[]} the matching versions that the registry has, oldest first
 */
export function versionsOf(name, range) {
  const found = JSON.parse(npm(homedir(), 'view', `${name}@${range}`, 'version', 'dist.integrity') || '[]');
  return [found]
    .flat()
    .map(({ version, 'dist.integrity': integrity }) => ({ version, integrity }))
    .sort((one, other) => inOrder(one.version, other.version));
}

/** @returns {string[]} all versions that the registry has, pre-releases too, oldest first */
export const allVersionsOf = (name) => JSON.parse(npm(homedir(), 'view', name, 'versions')).sort(inOrder);

const inOrder = (one, other) => one.localeCompare(other, 'en', { numeric: true });

/** @returns {string} the line of a version: "22" of "22.13.0" */
export const lineOf = (version) => version.split('.')[0];

/**
 * Downloads and unpacks a package, if the cache has not got it. npm checks it against the registry's integrity, and this
 * function against the given one.
 * @returns {string} its folder
 */
export function unpack({ name, version, integrity }) {
  const place = join(cache, `${name.replaceAll('/', '+')}@${version}`);
  mkdirSync(cache, { recursive: true });
  removeUnused();
  if (existsSync(place)) {
    utimesSync(place, new Date(), new Date());
    return place;
  }
  const making = mkdtempSync(join(cache, '.making-'));
  try {
    const [packed] = JSON.parse(npm(making, 'pack', `${name}@${version}`));
    if (packed.integrity !== integrity) throw new Error(`${name}@${version} has another content than it should have.`);
    execFileSync('tar', ['-xzmf', packed.filename, '--no-same-owner'], { cwd: making });
    renameSync(join(making, 'package'), place);
    return place;
  } catch (error) {
    if (existsSync(place)) return place; // another run was faster
    throw error;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Removes what no run has used for a month. */
function removeUnused() {
  for (const folder of readdirSync(cache).map((each) => join(cache, each))) {
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - used > 30 * 86_400_000) rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error with npm's reason in one line */
function npm(cwd, ...words) {
  try {
    return execFileSync('npm', [...words, '--json', '--ignore-scripts', '--loglevel=silent'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 2 ** 20,
    });
  } catch ({ stdout, message }) {
    throw new Error(`npm ${words.join(' ')}: ${/"summary": "(.*)"/.exec(stdout)?.[1] ?? message}`);
  }
}
