/** Finds the programs that serve as limits, and names their Debian packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Each program with its Debian package and the arguments that print its version. */
const TOOLS = {
  nginx: { package: 'nginx-light', version: ['-v'] },
  wrk: { package: 'wrk', version: ['-v'] },
  vipsthumbnail: { package: 'libvips-tools', version: ['--vips-version'] },
  psql: { package: 'postgresql-client', version: ['--version'] },
  pgbench: { package: 'postgresql-contrib', version: ['--version'] },
  postgres: { package: 'postgresql', version: ['--version'] },
  initdb: { package: 'postgresql', version: ['--version'] },
  openssl: { package: 'openssl', version: ['version'] },
  taskset: { package: 'util-linux', version: ['--version'] },
  chromium: { package: 'chromium', version: ['--version'] },
} as const;

export type Tool = keyof typeof TOOLS;

/** A required program is not installed; the message is one line that says how to install it. */
export class MissingTool extends Error {}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin'));
}

/** Also searches Debian's Postgres folders and /usr/sbin, which are often not on the PATH. */
function find(tool: Tool): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', ...postgresFolders()];
  return folders.map((folder) => join(folder, tool)).find((path) => existsSync(path));
}

/** @returns the path of the program @throws MissingTool */
export function tool(name: Tool): string {
  const path = find(name);
  if (path !== undefined) return path;
  throw new MissingTool(`${name} is missing. On Debian: apt-get install ${TOOLS[name].package}`);
}

/** @returns the version line of a program; undefined if it is not installed */
export function versionOf(name: Tool): string | undefined {
  const path = find(name);
  if (path === undefined) return undefined;
  const { stdout, stderr } = spawnSync(path, TOOLS[name].version, { encoding: 'utf8' });
  return `${stdout}${stderr}`.split('\n')[0]?.trim();
}
