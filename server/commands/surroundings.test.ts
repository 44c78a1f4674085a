import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createTestDatabase } from '../testing/database.ts';
import { postmasterPid, query, temporaryFolder } from '../testing/embedded.ts';
import { admin, startProcess, startServer } from '../testing/processes.ts';
import { until } from '../testing/socket.ts';

t.setTimeout(280_000);

const emptyList = { code: 0, stdout: '[]\n', stderr: '' };

t.test(
  'a command starts the embedded database for its own time, and beside a server uses the running one',
  async (t) => {
    const env = { DATA_DIR: temporaryFolder(t) };
    const cluster = join(env.DATA_DIR, 'postgres', 'cluster');
    t.same(await admin(t, ['migrate'], env), { code: 0, stdout: 'The database is up to date.\n', stderr: '' });
    t.same(await admin(t, ['users', 'list', '--json'], env), emptyList);
    t.notOk(existsSync(join(cluster, 'postmaster.pid')), 'stopped again');

    const server = await startServer(t, env);
    const postgres = postmasterPid(join(env.DATA_DIR, 'postgres'));
    t.same(await admin(t, ['users', 'list', '--json'], env), emptyList);
    t.equal(postmasterPid(join(env.DATA_DIR, 'postgres')), postgres, 'no other one was started');
    t.equal((await fetch(`${server.origin}/api/health/ready`)).status, 200);
    t.equal(await server.stop(), 0);
  },
);

t.test('where the path is too long for a socket, the running database is found all the same', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'd'.repeat(120)) };
  const server = await startServer(t, env);
  t.same(await admin(t, ['users', 'list', '--json'], env), emptyList);
  t.equal(await server.stop(), 0);
});

t.test('with DATABASE_URL nothing is started', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'data'), DATABASE_URL: (await createTestDatabase(t)).url };
  t.same(await admin(t, ['users', 'list', '--json'], env), emptyList);
  t.notOk(existsSync(env.DATA_DIR));
});

t.test('a wrong folder is told and not filled with a new database', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'data') };
  const { code, stderr } = await admin(t, ['users', 'list'], env);
  t.equal(code, 1);
  t.match(stderr, /^DATA_DIR "\S+" holds no database yet: [^\n]*\n$/);
  t.notOk(existsSync(env.DATA_DIR));
});

t.test('tables of another version are refused in one line, and left alone', async (t) => {
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

t.test('a command broken off stops the database it started', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t) };
  const { child, ended } = startProcess(t, 'commands/admin.js', ['migrate'], env);
  const pidFile = join(env.DATA_DIR, 'postgres', 'cluster', 'postmaster.pid');
  await until(() => existsSync(pidFile) || child.exitCode !== null);
  child.kill('SIGINT');
  t.equal(await ended, 130);
  t.notOk(existsSync(pidFile));
});

t.test('a server and a second command wait for a command that uses the embedded database', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t) };
  const first = startProcess(t, 'commands/admin.js', ['migrate'], env);
  const pidFile = join(env.DATA_DIR, 'postgres', 'cluster', 'postmaster.pid');
  await until(() => existsSync(pidFile) || first.child.exitCode !== null);
  first.child.kill('SIGSTOP');
  t.teardown(() => first.child.kill('SIGCONT'));
  const busy = startProcess(t, 'main.js', [], { ...env, PORT: '0' });
  t.equal(await busy.ended, 1, 'who does not answer may be a server');
  first.child.kill('SIGCONT');
  const second = startProcess(t, 'commands/admin.js', ['users', 'list', '--json'], env);
  const server = await startServer(t, env);
  t.equal(await first.ended, 0);
  t.equal(await second.ended, 0, second.stderr());
  t.equal(await server.stop(), 0);
});

t.test('a variable that is wrong is told in one line', async (t) => {
  t.same(await admin(t, ['users', 'list'], { PORT: 'abc' }), {
    code: 1,
    stdout: '',
    stderr: 'PORT must be a whole number from 0 to 65535, but was "abc"\n',
  });
  const url = 'postgres://someone:hidden@127.0.0.1:1/none';
  const { code, stderr } = await admin(t, ['users', 'list'], { DATABASE_URL: url });
  t.equal(code, 1);
  t.match(stderr, /^DATABASE_URL: the database at 127\.0\.0\.1:1 does not answer[^\n]*\n$/);
  t.notMatch(stderr, 'hidden');
});

t.test('words that make no command end with 2, and help with 0', async (t) => {
  for (const words of [
    [],
    ['users'],
    ['nonsense'],
    ['users', 'nonsense'],
    ['users', 'list', '--nonsense'],
    ['migrate', 'x'],
  ]) {
    const { code, stdout, stderr } = await admin(t, words, {});
    t.equal(code, 2, words.join(' '));
    t.equal(stdout, '');
    t.match(stderr, /--help/);
  }
  for (const words of [['--help'], ['users', '--help'], ['users', 'list', '--help'], ['migrate', '--help']]) {
    const { code, stdout, stderr } = await admin(t, words, {});
    t.equal(code, 0, words.join(' '));
    t.match(stdout, /^Usage: admin/);
    t.equal(stderr, '');
  }
});
