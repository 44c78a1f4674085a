import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programRoot } from './program-root.ts';

/** The version in package.json. */
export const programVersion = (): string =>
  String(JSON.parse(readFileSync(join(programRoot(), 'package.json'), 'utf8')).version);
