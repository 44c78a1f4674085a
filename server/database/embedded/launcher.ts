import { execFile, type SpawnOptions } from 'node:child_process';
import { chownSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseStartError } from '../start-error.ts';
import type { Binaries } from './binaries.ts';
import { PASSWORD_FILE } from './password.ts';
import { nameUser } from './user-name.ts';

/** How a Postgres program is started: the command before it, and the user. Postgres refuses to run as root. */
export type Launcher = {
  prefix: string[];
  uid?: number;
  gid?: number;
  /** Gives that user a name, for programs that need one (user-name.ts). */
  userName?: NodeJS.ProcessEnv;
};
/** `version` is the program's own output, such as "postgres (PostgreSQL) 18.4". */
export type CheckedLauncher = Launcher & { version: string };

type Outcome = { ok: boolean; output: string };

const NOBODY = 65534;
// Root outside maps to "nobody" inside: Postgres sees an ordinary user, and the files stay root's.
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/** The environment of Postgres programs: without PG* settings and without the server's secrets. */
const environment = (): NodeJS.ProcessEnv =>
  process.platform === 'win32' ? process.env : { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };

export function commandOf(launcher: Launcher, binary: string, args: string[]) {
  const [command = binary, ...rest] = [...launcher.prefix, binary, ...args];
  const { uid, gid } = launcher;
  const options: SpawnOptions = { env: environment(), cwd: '/', ...(uid !== undefined && { uid, gid }) };
  if (process.platform === 'win32') delete options.cwd;
  return { command, args: rest, options };
}

export function run(launcher: Launcher, binary: string, args: string[]): Promise<Outcome> {
  const { command, args: rest, options } = commandOf(launcher, binary, args);
  const { cwd, uid, gid } = options;
  const env = { ...options.env, ...launcher.userName };
  return new Promise((resolve) => {
    execFile(command, rest, { env, cwd, uid, gid, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim() || (error?.message ?? '') });
    });
  });
}

/** Finds a way to start Postgres by trying. @param folder holds all of the database's files */
export async function chooseLauncher(binaries: Binaries, folder: string): Promise<CheckedLauncher> {
  const root = process.getuid?.() === 0;
  const owner = statSync(existsSync(join(folder, 'cluster')) ? join(folder, 'cluster') : folder);
  if (!root) {
    const userName = await nameUser(folder, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    return check({ prefix: [], userName }, binaries);
  }
  if (owner.uid === 0 && process.platform === 'linux') {
    const launcher = { prefix: UNSHARE };
    const { ok, output } = await run(launcher, binaries.postgres, ['-V']);
    if (ok) return { ...launcher, version: output };
    if (!/^unshare|ENOENT/.test(output)) throw cannotRun(output);
  }
  return asAnotherUser(binaries, folder, owner.uid === 0 ? { uid: NOBODY, gid: NOBODY } : owner);
}

async function check(launcher: Launcher, binaries: Binaries): Promise<CheckedLauncher> {
  const { ok, output } = await run(launcher, binaries.postgres, ['-V']);
  if (!ok) throw cannotRun(output);
  return { ...launcher, version: output };
}

/** Where user namespaces are denied: runs as an unprivileged user, who becomes the folder's owner. */
async function asAnotherUser(
  binaries: Binaries,
  folder: string,
  { uid, gid }: { uid: number; gid: number },
): Promise<CheckedLauncher> {
  const launcher = { prefix: [], uid, gid, userName: await nameUser(folder, uid, gid) };
  changeOwner(folder, uid, gid);
  const binary = await run(launcher, binaries.postgres, ['-V']);
  const writable = await run(launcher, '/bin/sh', ['-c', 'test -w "$1" && test -x "$1"', 'sh', folder]);
  if (binary.ok && writable.ok) return { ...launcher, version: binary.output };
  const missing = binary.ok ? folder : `${binaries.postgres} (${binary.output})`;
  throw new DatabaseStartError(
    `Postgres does not run as root, and the user with the id ${uid} cannot use ${missing}: start the server as an ` +
      'ordinary user, or set DATA_DIR to a folder below which everybody may enter, or set DATABASE_URL.',
  );
}

function changeOwner(path: string, uid: number, gid: number): void {
  chownSync(path, uid, gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) changeOwner(child, uid, gid);
    else if (entry.isFile() && entry.name !== PASSWORD_FILE && lstatSync(child).uid !== uid) chownSync(child, uid, gid);
  }
}

function cannotRun(output: string): DatabaseStartError {
  return new DatabaseStartError(
    `The embedded Postgres does not run on this machine (${oneLine(output)}); set DATABASE_URL.`,
  );
}

export const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' | ');
