/** A system Postgres with psql, set up like its container image: by socket for everyone, over TCP with a password. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';

type Test = { teardown(handler: () => unknown): void };

const root = '/usr/lib/postgresql';
const bin = existsSync(root)
  ? readdirSync(root)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(root, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'psql')))
  : undefined;

export const withoutSystemPostgres = bin ? false : 'no Postgres of the system is installed';

export type SystemPostgres = {
  port: number;
  /** Runs statements over the socket, like the image. @throws with psql's output */
  psql(user: string, database: string, statements: string, env?: Record<string, string>): void;
};

function asPostgres(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8').split('\n').find((each) => each.startsWith('postgres:')); // biome-ignore format: one search
  const [, , uid = 65534, gid = 65534] = (line ?? '').split(':').map((part) => Number(part) || undefined);
  return { uid, gid };
}

/** @param user POSTGRES_USER, and @param password POSTGRES_PASSWORD of the image; the database is `gallery` */
export async function startSystemPostgres(
  t: Test,
  folder: string,
  { user, password }: { user: string; password: string },
): Promise<SystemPostgres> {
  const owner = asPostgres();
  const place = join(folder, 'postgres');
  mkdirSync(place, { mode: 0o700 });
  if (owner.uid !== undefined) chownSync(place, owner.uid, owner.gid ?? owner.uid);
  const [data, passwordFile] = [join(place, 'data'), join(place, 'password')];
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const program = (name: string) => join(bin ?? '', name);
  const must = (name: string, args: string[], env: Record<string, string> = {}, input?: string) => {
    const options = { ...owner, cwd: '/', encoding: 'utf8' as const, env: { PATH: process.env.PATH ?? '', ...env } };
    const { status, stderr } = spawnSync(program(name), args, {
      ...options,
      ...(input === undefined ? {} : { input }),
    });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
  };
  const login = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`];
  must('initdb', ['-D', data, '-U', user, '-E', 'UTF8', '--locale=C', '--no-sync', ...login]);
  const port = await freePort();
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${place}`, '-c', 'fsync=off'];
  const child = spawn(program('postgres'), ['-D', data, '-p', String(port), ...settings], {
    ...owner,
    cwd: '/',
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  t.teardown(() => {
    child.kill('SIGQUIT');
    return ended;
  });
  const at = ['--no-psqlrc', '--no-password', '-h', place, '-p', String(port)];
  await eventually('Postgres creates the database', () => {
    if (child.exitCode !== null) throw new Error('Postgres exited');
    const args = [...at, '-U', user, '-d', 'postgres', '-c', 'create database gallery'];
    return spawnSync(program('psql'), args, { ...owner, cwd: '/' }).status === 0;
  });
  return {
    port,
    psql: (as, database, statements, env) =>
      must('psql', [...at, '-q', '-U', as, '-d', database, '-f', '-'], env, statements),
  };
}
