import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in package.json, which is in a folder above this module, compiled or bundled. */
export function programVersion(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) return String(JSON.parse(readFileSync(path, 'utf8')).version);
    if (folder === dirname(folder)) throw new Error('package.json was not found');
  }
}
