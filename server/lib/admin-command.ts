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
 * the image, npm if npm started this process, else Node in the installation's folder (its path is shown to nobody). npm reads
 * `.env`, which a service does not.
 */
export function adminCommand(command: string, root = programRoot(), environment = process.env): string {
  const program = join(root, 'build/program/admin.js');
  const { PATH = '', npm_lifecycle_event: npmScript } = environment;
  if (PATH.split(delimiter).some((folder) => isLinkTo(join(folder, 'admin'), program))) return `admin ${command}`;
  if (npmScript !== undefined && existsSync(join(root, 'scripts/admin.mjs'))) return `npm run admin -- ${command}`;
  return `node build/program/admin.js ${command}`;
}
