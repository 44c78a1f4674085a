import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Hashes the names and contents of a build's inputs. It ignores file times, which a clone, a checkout and a copy change, and
 * Node's version: every supported Node runs the same build.
 * @param {string[]} inputs files and folders below `root`; missing ones are skipped
 * @param {(path: string) => boolean} [counts] false for files that are not part of the build
 * @returns {string} SHA-256, hex
 */
export function stampOf(root, inputs, counts = () => true) {
  const hash = createHash('sha256').update(`${process.platform}\n`);
  for (const input of inputs) {
    for (const path of filesOf(root, input)) {
      if (!counts(path)) continue;
      const content = readFileSync(join(root, path));
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

function filesOf(root, input) {
  const stat = statSync(join(root, input), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [input];
  return readdirSync(join(root, input), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}
