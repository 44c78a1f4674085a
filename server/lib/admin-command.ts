import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programRoot } from './program-root.ts';

function isLinkTo(path: string, program: string): boolean {
  try {
    return realpathSync(path) === program;
  } catch {
    return false;
  }
}

/**
 * A command of the administrator's program as people type it where this server runs: `admin` if that name leads to it, as in
 * the image, npm in a checkout, else Node.
 */
export function adminCommand(command: string, root = programRoot(), path = process.env.PATH ?? ''): string {
  const program = join(root, 'build/program/admin.js');
  if (path.split(delimiter).some((folder) => isLinkTo(join(folder, 'admin'), program))) return `admin ${command}`;
  if (existsSync(join(root, 'scripts/admin.mjs'))) return `npm run admin -- ${command}`;
  return `node ${program} ${command}`;
}
