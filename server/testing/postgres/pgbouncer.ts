/** A real PgBouncer in transaction mode, with few sessions, in front of a test's database. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, databaseUrl, parseDatabaseUrl } from '../../database/address.ts';
import { connect } from '../../database/connect.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { createTestDatabase } from './database.ts';

type Test = { teardown(handler: () => Promise<void>): void };

type Pooled = {
  /** URL through the pooler. */
  url: string;
  /** URL of the same database, past the pooler. */
  direct: string;
};

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

export const withoutPgbouncer = program ? false : 'pgbouncer is not installed';

/** PgBouncer refuses to run as root too; the files that it reads stay root's (database/embedded/launcher.ts). */
const asNobody = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];

function prefix(folder: string): { args: string[]; uid?: number } {
  if (process.getuid?.() !== 0) return { args: [] };
  if (spawnSync(asNobody[0] ?? '', [...asNobody.slice(1), 'true']).status === 0) return { args: asNobody };
  for (const name of ['', 'pgbouncer.ini', 'users']) chownSync(join(folder, name), 65534, 65534);
  return { args: [], uid: 65534 };
}

function settings(folder: string, { host, port, user, database }: Address, own: number, sessions: number): string {
  return `[databases]
${database} = host=${host} port=${port} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 500
`;
}

/** Replaces folders and ports in the settings by the test's. @throws if one is missing */
function placed(ini: string, folder: string, { host, port, user, database }: Address, own: number): string {
  const places: [RegExp, string][] = [
    [/^gallery = .*$/m, `${database} = host=${host} port=${port} user=${user} dbname=${database}`],
    [/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1'],
    [/^listen_port = .*$/m, `listen_port = ${own}`],
    [/^auth_file = .*$/m, `auth_file = ${join(folder, 'users')}`],
  ];
  return places.reduce((text, [line, place]) => {
    if (!line.test(text)) throw new Error(`no line ${line}`);
    return text.replace(line, place);
  }, ini);
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  await eventually('PgBouncer answers', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer exited with ${child.exitCode}`);
    const { sql, close } = connect(url, { max: 1, pooled: true });
    const isThere = await sql`select 1`.then(
      () => true,
      () => false,
    );
    await close();
    return isThere;
  });
}

/**
 * @param sessions of Postgres, shared by all clients
 * @param ini settings instead of the test's; clients must then give their password
 */
export async function createPooledDatabase(t: Test, sessions = 4, ini?: string): Promise<Pooled> {
  const { url: direct } = await createTestDatabase(t);
  const address = parseDatabaseUrl(direct);
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o711);
  const port = await freePort();
  const text = ini === undefined ? settings(folder, address, port, sessions) : placed(ini, folder, address, port);
  const password = address.password || (ini === undefined ? '' : 'known-to-the-pooler');
  writeFileSync(join(folder, 'pgbouncer.ini'), text);
  writeFileSync(join(folder, 'users'), `"${address.user}" "${password}"\n`);
  const { args, uid } = prefix(folder);
  const [command = '', ...rest] = [...args, program ?? '', join(folder, 'pgbouncer.ini')];
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'], ...(uid === undefined ? {} : { uid }) });
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = databaseUrl({ ...address, ...(password ? { password } : {}), host: '127.0.0.1', port });
  await answers(url, child).catch((error) => {
    throw new Error(`${error.message}: ${output}`);
  });
  return { url, direct };
}
