import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { postmasterPid, query, temporaryFolder } from '../testing/postgres/embedded.ts';
import { databaseUrl, parseDatabaseUrl } from './address.ts';
import { startEmbeddedPostgres } from './embedded/embedded.ts';
import { openDatabase } from './open.ts';

const logger = { info: () => {}, error: () => {} };
t.setTimeout(120_000);

t.test('without a URL the embedded database starts in the data folder and is migrated', async (t) => {
  const dataDir = temporaryFolder(t);
  const { db, isHealthy, close } = await openDatabase({ dataDir, logger });
  t.same(await db.query.users.findMany(), []);
  t.equal(await isHealthy(), true);
  const pid = postmasterPid(join(dataDir, 'postgres'));
  await close();
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' }, 'Postgres stopped too');
  t.equal(await isHealthy(), false);
});

t.test('with a URL no embedded database starts', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, close } = await openDatabase({ dataDir: '/nonexistent', databaseUrl: url, logger });
  t.same(await db.query.users.findMany(), []);
  await close();
});

t.test('a role that may not read the tables gets one line with the statement to run', async (t) => {
  const { url } = await createTestDatabase(t);
  const address = parseDatabaseUrl(url);
  const role = `plain_${address.database.slice(-12)}`;
  await query(url, `create role ${role} login password 'x'`);
  t.teardown(() => query(url, `drop role ${role}`));
  const theirs = databaseUrl({ ...address, user: role, password: 'x' });
  const open = openDatabase({ dataDir: '/nonexistent', databaseUrl: theirs, logger });
  const failure = await open.catch((error: Error) => error);
  t.match(failure, { name: 'DatabaseStartError', message: /^The user "plain_.*ALTER DATABASE/ });
  t.notMatch((failure as Error).message, '\n');
});

t.test('a frozen database is reported within 1.5 seconds, and it is healthy again once it thaws', async (t) => {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: temporaryFolder(t), log: logger });
  t.teardown(stop);
  const url = databaseUrl(connection);
  const { isHealthy, close } = await openDatabase({ dataDir: '/nonexistent', databaseUrl: url, logger, poolSize: 1 });
  t.teardown(close);
  t.equal(await isHealthy(), true);
  const mine =
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'gallery' and pid <> pg_backend_pid()";
  const pids = (await query(url, mine)).map(({ pid }) => Number(pid));
  t.equal(pids.length, 2, 'one for requests and one for readiness');
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const begun = performance.now();
  t.same(await Promise.all([isHealthy(), isHealthy(), isHealthy()]), [false, false, false]);
  t.ok(performance.now() - begun < 1500);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  t.equal(await isHealthy(), true);
});

t.test('readiness is checked while requests use every connection', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, isHealthy, close } = await openDatabase({
    dataDir: '/nonexistent',
    databaseUrl: url,
    logger,
    poolSize: 1,
  });
  t.teardown(close);
  await db.transaction(async () => t.equal(await isHealthy(), true));
});

t.test('a refused start does not affect the running Postgres', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await openDatabase({ dataDir, logger });
  await t.rejects(openDatabase({ dataDir, logger }), { message: /is already using/ });
  t.equal(await first.isHealthy(), true);
  await first.close();
});

t.test('the migrate command reports success or the error', async (t) => {
  const { url } = await createTestDatabase(t);
  await query(url, 'drop schema public cascade; drop schema drizzle cascade; create schema public');
  const done = await command({ DATABASE_URL: url, DATA_DIR: temporaryFolder(t) });
  t.same(done, { code: 0, output: 'The database is up to date.\n' });
  t.same(await query(url, 'select count(*)::int as number from users'), [{ number: 0 }]);
  const wrong = databaseUrl({ host: '127.0.0.1', port: 1, user: 'x', password: 'hidden', database: 'x' });
  const failed = await command({ DATABASE_URL: wrong, DATA_DIR: temporaryFolder(t) });
  t.equal(failed.code, 1);
  t.match(failed.output, /^DATABASE_URL: the database does not answer \(ECONNREFUSED\)[^\n]*\n$/);
  t.notMatch(failed.output, 'hidden');
});

async function command(env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const program = join(import.meta.dirname, '..', 'admin', 'commands', 'migrate.js');
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}
