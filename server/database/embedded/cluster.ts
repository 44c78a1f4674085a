import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseStartError } from '../start-error.ts';
import type { Binaries } from './binaries.ts';
import { type CheckedLauncher, type Launcher, oneLine, run } from './launcher.ts';
import { syncFolder } from './password.ts';
import { SUPERUSER } from './role-statement.ts';

/** Returns the cluster's folder. Creates it under another name first, so that a killed initdb leaves no cluster. */
export async function ensureCluster(folder: string, binaries: Binaries, launcher: CheckedLauncher): Promise<string> {
  const cluster = join(folder, 'cluster');
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    checkVersion(cluster, launcher.version);
    return cluster;
  }
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new DatabaseStartError(
      `${cluster} is not a whole database: it has no file PG_VERSION. Restore it from a backup.`,
    );
  }
  await removeDrafts(folder);
  const draft = join(folder, `initdb.${randomUUID().slice(0, 8)}`);
  mkdirSync(draft, { mode: 0o700 });
  if (launcher.uid !== undefined) await chown(draft, launcher.uid, launcher.gid ?? launcher.uid);
  await initialise(draft, folder, binaries, launcher);
  renameSync(draft, cluster);
  syncFolder(folder);
  return cluster;
}

/**
 * Names sort by bytes (C), but the ctype is C.UTF-8: with C, lower() and patterns in SQL would handle ASCII letters
 * only. All logins are rejected until server-role.ts admits the server's role.
 */
async function initialise(draft: string, folder: string, binaries: Binaries, launcher: Launcher): Promise<void> {
  const common = [
    ...['--pgdata', draft, '--username', SUPERUSER, '--encoding=UTF8', '--locale=C', '--data-checksums'],
    ...['--no-instructions', '--auth=reject'],
  ];
  const first = await run(launcher, binaries.initdb, [...common, '--lc-ctype=C.UTF-8']);
  if (first.ok) return;
  const { ok, output } = /invalid locale/.test(first.output) ? await run(launcher, binaries.initdb, common) : first;
  if (ok) return;
  await rm(draft, { recursive: true, force: true });
  const reason = /could not look up effective user ID/.test(output)
    ? `the user id ${process.getuid?.()} has no name, which initdb needs. Create a user with this id, or install libnss-wrapper`
    : oneLine(output).slice(-600);
  throw new DatabaseStartError(`The embedded database could not be made in ${folder}: ${reason}`);
}

function checkVersion(cluster: string, version: string): void {
  const clusterVersion = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const binaryVersion = /\) (\d+)/.exec(version)?.[1];
  if (binaryVersion === undefined || binaryVersion === clusterVersion) return;
  throw new DatabaseStartError(
    `${cluster} was made by Postgres ${clusterVersion}, and this program brings Postgres ${binaryVersion}: export it with the version ` +
      'of this program that made it, or with a Postgres of that version.',
  );
}

/** Best effort: an initdb that outlives its killed parent may still write; its folder has a unique name. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => each.startsWith('initdb.'))) {
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}
