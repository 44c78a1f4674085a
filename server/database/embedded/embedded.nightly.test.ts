import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { postmasterPid, query, startOwner, temporaryFolder } from '../../testing/postgres/embedded.ts';
import { databaseUrl } from '../address.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

type Test = { teardown(handler: () => unknown): void };

const log = { info: () => {}, error: () => {} };

async function start(t: Test, dataDir: string): Promise<EmbeddedPostgres & { url: string }> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  t.teardown(server.stop);
  return { ...server, url: databaseUrl(server.connection) };
}

t.setTimeout(120_000);

t.test('rows survive a stop, and the second start is fast', async (t) => {
  const folder = temporaryFolder(t);
  const first = await start(t, folder);
  await query(first.url, "create table stored as select 'yes' as answer");
  await first.stop();
  t.notOk(existsSync(join(folder, 'cluster', 'postmaster.pid')), 'stopped');
  const begun = performance.now();
  const second = await start(t, folder);
  const took = performance.now() - begun;
  t.ok(took < 2000, `started again in ${Math.round(took)} ms`);
  t.same(await query(second.url, 'select answer from stored'), [{ answer: 'yes' }]);
});

t.test('the cluster is durable, private and handles letters of every script', async (t) => {
  const folder = temporaryFolder(t);
  const { url, connection } = await start(t, folder);
  const setting = async (name: string) => (await query(url, `show ${name}`))[0]?.[name];
  for (const name of ['fsync', 'full_page_writes', 'data_checksums', 'autovacuum'])
    t.equal(await setting(name), 'on', name);
  t.equal(await setting('listen_addresses'), '');
  t.equal(await setting('server_encoding'), 'UTF8');
  await query(url, 'create extension pg_trgm');
  t.same(await query(url, "select cardinality(show_trgm('صورة')) > 0 as known, 'B' < 'a' as bytes"), [
    { known: true, bytes: true },
  ]);
  t.equal(statSync(connection.host).mode & 0o777, 0o700);
});

t.test('a path too long for a socket still works', async (t) => {
  const folder = join(temporaryFolder(t), 'x'.repeat(150), 'y'.repeat(100), 'postgres');
  const { url, connection, stop } = await start(t, folder);
  t.same(await query(url, 'select 1 as one'), [{ one: 1 }]);
  t.equal(statSync(connection.host).mode & 0o777, 0o700);
  await stop();
  t.notOk(existsSync(connection.host), 'the temporary folder is gone');
});

t.test('a path with spaces, quotes, a comma and other scripts works', async (t) => {
  const { url } = await start(t, join(temporaryFolder(t), 'my "own", صور\'s', 'postgres'));
  t.same(await query(url, 'select 1 as one'), [{ one: 1 }]);
});

t.test('a killed initdb does not break the next start', async (t) => {
  const folder = temporaryFolder(t);
  const owner = startOwner(t, folder);
  const halfWay = () =>
    readdirSync(folder).some((name) => name.startsWith('initdb.') && existsSync(join(folder, name, 'base')));
  await eventually('initdb has begun', halfWay);
  await owner.kill();
  t.notOk(existsSync(join(folder, 'cluster')), 'it was killed in time');
  const { url } = await start(t, folder);
  t.same(await query(url, 'select 1 as one'), [{ one: 1 }]);
});

t.test('a failed start reports its reason in one line', async (t) => {
  const folder = temporaryFolder(t);
  const { stop } = await start(t, folder);
  await stop();
  truncateSync(join(folder, 'cluster', 'global', 'pg_control'), 0);
  const error = await start(t, folder).catch((error: Error) => error);
  t.match(error, { name: 'DatabaseStartError', message: /did not start.*pg_control/ });
  t.notMatch(String(error), '\n');
});

t.test('a folder of another version of Postgres is refused', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'cluster'));
  writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '12\n');
  await t.rejects(start(t, folder), { message: /made by Postgres 12/ });
});

t.test('a killed Postgres is restarted', async (t) => {
  const folder = temporaryFolder(t);
  const { url } = await start(t, folder);
  const before = postmasterPid(folder);
  process.kill(before, 'SIGKILL');
  const answer = await eventually('Postgres answers again', () => query(url, 'select 1 as one').catch(() => undefined));
  t.same(answer, [{ one: 1 }]);
  t.not(postmasterPid(folder), before);
});

t.test('a large log file is rotated at the next start', async (t) => {
  const folder = temporaryFolder(t);
  const { stop } = await start(t, folder);
  await stop();
  appendFileSync(join(folder, 'postgres.log'), 'x'.repeat(2 ** 20 + 1));
  await start(t, folder);
  t.ok(statSync(join(folder, 'postgres.log')).size < 2 ** 16);
  t.ok(readFileSync(join(folder, 'postgres.log.1')).length > 2 ** 20);
  rmSync(join(folder, 'postgres.log.1'));
});
