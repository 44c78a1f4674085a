import { chownSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { postmasterPid, query, temporaryFolder } from '../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../testing/processes.ts';

t.setTimeout(280_000);

const emptyList = { code: 0, stdout: '[]\n', stderr: '' };

t.test('a command starts the embedded database only for its own run, or uses that of a running server', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t) };
  const cluster = join(env.DATA_DIR, 'postgres', 'cluster');
  t.same(await admin(t, ['migrate'], env), { code: 0, stdout: 'The database is up to date.\n', stderr: '' });
  t.same(await admin(t, ['users', 'list', '--json'], env), emptyList);
  t.notOk(existsSync(join(cluster, 'postmaster.pid')), 'the database is stopped again');

  const server = await startServer(t, env);
  const postgres = postmasterPid(join(env.DATA_DIR, 'postgres'));
  t.same(await admin(t, ['users', 'list', '--json'], env), emptyList);
  t.equal(postmasterPid(join(env.DATA_DIR, 'postgres')), postgres, 'no second database was started');
  t.equal((await fetch(`${server.origin}/api/health/ready`)).status, 200);
  t.equal(await server.stop(), 0);
});

t.test('no embedded database is started if DATABASE_URL is set', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'data'), DATABASE_URL: (await createTestDatabase(t)).url };
  t.same(await admin(t, ['users', 'list', '--json'], env), emptyList);
  t.notOk(existsSync(env.DATA_DIR));
});

t.test('a wrong DATA_DIR is reported and gets no new database', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'data') };
  const { code, stderr } = await admin(t, ['users', 'list'], env);
  t.equal(code, 1);
  t.match(stderr, /^DATA_DIR "\S+" holds no database yet: [^\n]*\n$/);
  t.notOk(existsSync(env.DATA_DIR));
});

t.test('tables of another version are refused in one line and not changed', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { DATABASE_URL: url };
  const list = () => admin(t, ['users', 'list'], env);
  await query(url, 'insert into drizzle.__drizzle_migrations (hash, created_at) values (1, 9000000000000)');
  t.match(await list(), { code: 1, stdout: '', stderr: /^The database's tables are newer than this program[^\n]*\n$/ });
  t.match(await admin(t, ['migrate'], env), { code: 1, stderr: /newer than this program/ });
  await query(url, 'delete from drizzle.__drizzle_migrations where id > 1');
  t.match(await list(), { code: 1, stdout: '', stderr: /older than this program: run the command "migrate"[^\n]*\n$/ });
  await query(url, 'drop schema public cascade; drop schema drizzle cascade; create schema public');
  t.match(await list(), { code: 1, stdout: '', stderr: /^The database has no tables yet[^\n]*\n$/ });
  t.equal((await admin(t, ['migrate'], env)).code, 0);
  t.equal((await list()).code, 0);
});

const asRoot = process.getuid?.() === 0 ? false : 'only root can become another user';

t.test('a command run by root works as the owner of the server’s files', { skip: asRoot }, async (t) => {
  const nobody = 65534;
  const env = { DATA_DIR: temporaryFolder(t) };
  chownSync(env.DATA_DIR, nobody, nobody);
  t.match(await admin(t, ['migrate'], env), { code: 0, stderr: '' });
  t.match(statSync(join(env.DATA_DIR, 'postgres', 'cluster')), { uid: nobody, gid: nobody });
  t.match(statSync(join(env.DATA_DIR, 'postgres', 'postgres.log')), { uid: nobody, gid: nobody });
});
