import { spawn } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { postmasterPid, query, startOwner, temporaryFolder } from '../../testing/postgres/embedded.ts';

t.setTimeout(110_000);

t.test('a Postgres orphaned by a killed process is stopped and replaced', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await query(await first.url(), 'create table stored as select 7 as number');
  const orphan = postmasterPid(folder);
  await first.kill();
  t.ok(process.kill(orphan, 0), 'Postgres still runs');
  const second = startOwner(t, folder);
  t.same(await query(await second.url(), 'select number from stored'), [{ number: 7 }]);
  t.not(postmasterPid(folder), orphan);
});

t.test('a Postgres killed together with its server recovers', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await query(await first.url(), 'create table stored as select 8 as number');
  process.kill(postmasterPid(folder), 'SIGKILL');
  await first.kill();
  t.same(await query(await startOwner(t, folder).url(), 'select number from stored'), [{ number: 8 }]);
});

t.test('a stale postmaster.pid with the id of another program does not block the start', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await first.url();
  const file = join(folder, 'cluster', 'postmaster.pid');
  const lines = readFileSync(file, 'utf8').split('\n');
  process.kill(postmasterPid(folder), 'SIGKILL');
  await first.kill();
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  t.teardown(() => stranger.kill('SIGKILL'));
  writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'));
  t.same(await query(await startOwner(t, folder).url(), 'select 1 as one'), [{ one: 1 }]);
  t.equal(stranger.exitCode, null, 'the other program still runs');
  t.equal(stranger.signalCode, null, 'the other program still runs');
});

t.test('a postmaster.pid emptied by a power cut does not block the start', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await first.url();
  const file = join(folder, 'cluster', 'postmaster.pid');
  process.kill(postmasterPid(folder), 'SIGKILL');
  await first.kill();
  truncateSync(file, 0);
  t.same(await query(await startOwner(t, folder).url(), 'select 1 as one'), [{ one: 1 }]);
});
