import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, which is above this module, compiled or bundled. */
export function programRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error('package.json was not found');
  }
}
