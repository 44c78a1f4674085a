import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startEmbeddedPostgres } from '../../database/embedded/embedded.ts';
import { eventually } from '../../testing/eventually.ts';
import { temporaryFolder } from '../../testing/postgres/embedded.ts';
import { admin, startProcess, startServer } from '../../testing/processes.ts';

t.setTimeout(280_000);

t.test('an interrupted command stops the database it started', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t) };
  const { child, ended } = startProcess(t, 'admin', ['migrate'], env);
  const pidFile = join(env.DATA_DIR, 'postgres', 'cluster', 'postmaster.pid');
  await eventually('the pid file of the embedded database', () => existsSync(pidFile) || child.exitCode !== null);
  child.kill('SIGINT');
  t.equal(await ended, 130);
  t.notOk(existsSync(pidFile));
});

t.test('a server and a command wait for a command that uses the embedded database', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t), PORT: '0' };
  const folder = join(env.DATA_DIR, 'postgres');
  const holder = await startEmbeddedPostgres({ dataDir: folder, log: { info() {}, error() {} }, role: 'command' });
  const server = startProcess(t, 'main', [], env);
  const command = startProcess(t, 'admin', ['migrate'], env);
  const waits = `Waiting for a command of the administrator (pid ${process.pid})`;
  await eventually(
    'the server waits for the command',
    () => server.stdout().includes(waits) || server.child.exitCode !== null,
  );
  await eventually(
    'the second command waits for the first',
    () => command.stderr().includes(waits) || command.child.exitCode !== null,
  );
  t.equal(server.child.exitCode, null, server.stderr());
  t.equal(command.child.exitCode, null, command.stderr());
  await holder.stop();
  t.equal(await command.ended, 0, command.stderr());
  await eventually('the server listens', () => server.stdout().includes('listening') || server.child.exitCode !== null);
  server.child.kill('SIGTERM');
  t.equal(await server.ended, 0, server.stdout());
});

t.test('the running database is found even if the path is too long for a socket', async (t) => {
  const env = { DATA_DIR: join(temporaryFolder(t), 'd'.repeat(120)) };
  const server = await startServer(t, env);
  t.same(await admin(t, ['users', 'list', '--json'], env), { code: 0, stdout: '[]\n', stderr: '' });
  t.equal(await server.stop(), 0);
});
