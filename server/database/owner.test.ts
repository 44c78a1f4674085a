import { spawn } from 'node:child_process';
import { chownSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Owner, postmasterPid, query, startOwner, temporaryFolder } from '../testing/embedded.ts';

const asRoot = process.getuid?.() === 0 && process.platform === 'linux';
const NOBODY = { uid: 65534, gid: 65534 };

const urlOf = async (owner: Owner): Promise<string> => {
  const { url, refused } = await owner.answer;
  if (!url) throw new Error(refused);
  return url;
};

t.setTimeout(120_000);

t.test('a second living process is refused in one line, and the first is unharmed', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  const url = await urlOf(first);
  const before = postmasterPid(folder);
  const { refused = '' } = await startOwner(t, folder).answer;
  t.match(refused, `(pid ${first.child.pid}) is already using the database in ${folder}`);
  t.notMatch(refused, '\n');
  t.same(await query(url, 'select 1 as one'), [{ one: 1 }]);
  t.equal(postmasterPid(folder), before);
});

t.test('a process stopped by the terminal still owns its database', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await urlOf(first);
  first.child.kill('SIGSTOP');
  t.match((await startOwner(t, folder).answer).refused, 'Another process is already using');
  first.child.kill('SIGCONT');
});

t.test('what a killed process left behind is taken over', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await query(await urlOf(first), 'create table kept as select 7 as number');
  const orphan = postmasterPid(folder);
  await first.kill();
  t.ok(process.kill(orphan, 0), 'Postgres was left behind');
  const second = startOwner(t, folder);
  t.same(await query(await urlOf(second), 'select number from kept'), [{ number: 7 }]);
  t.not(postmasterPid(folder), orphan);
});

t.test('a Postgres killed together with its app recovers', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await query(await urlOf(first), 'create table kept as select 8 as number');
  process.kill(postmasterPid(folder), 'SIGKILL');
  await first.kill();
  t.same(await query(await urlOf(startOwner(t, folder)), 'select number from kept'), [{ number: 8 }]);
});

for (const [name, prepare] of [
  ['an empty folder', async () => {}],
  [
    'a folder whose owner was killed',
    async (t: Test, folder: string) => {
      const owner = startOwner(t, folder);
      await urlOf(owner);
      await owner.kill();
    },
  ],
] as const) {
  t.test(`of four that start at once on ${name}, one wins and three are refused`, async (t) => {
    const folder = temporaryFolder(t);
    await prepare(t, folder);
    const answers = await Promise.all([1, 2, 3, 4].map(() => startOwner(t, folder).answer));
    const urls = answers.flatMap(({ url = [] }) => url);
    t.equal(urls.length, 1);
    for (const { refused } of answers.filter(({ url }) => !url)) t.match(refused, 'is already using the database');
    t.same(await query(urls[0] ?? '', 'select 1 as one'), [{ one: 1 }]);
  });
}

t.test('a process id left in postmaster.pid that is now another program’s does no harm', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await urlOf(first);
  const file = join(folder, 'cluster', 'postmaster.pid');
  const lines = readFileSync(file, 'utf8').split('\n');
  process.kill(postmasterPid(folder), 'SIGKILL');
  await first.kill();
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  t.teardown(() => stranger.kill('SIGKILL'));
  writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'));
  t.same(await query(await urlOf(startOwner(t, folder)), 'select 1 as one'), [{ one: 1 }]);
  t.equal(stranger.exitCode, null, 'the stranger lives');
  t.equal(stranger.signalCode, null, 'the stranger lives');
});

t.test('a postmaster.pid emptied by a power cut does no harm', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await urlOf(first);
  const file = join(folder, 'cluster', 'postmaster.pid');
  process.kill(postmasterPid(folder), 'SIGKILL');
  await first.kill();
  truncateSync(file, 0);
  t.same(await query(await urlOf(startOwner(t, folder)), 'select 1 as one'), [{ one: 1 }]);
});

t.test('Ctrl-C in the terminal reaches the app, and the app ends Postgres', async (t) => {
  const folder = temporaryFolder(t);
  const owner = startOwner(t, folder);
  await urlOf(owner);
  const pid = postmasterPid(folder);
  const group = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]);
  t.equal(group, pid, 'Postgres is in a process group of its own');
  owner.child.kill('SIGTERM');
  await owner.ended;
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

t.test(
  'an ordinary user needs nothing special',
  { skip: !asRoot && 'these tests run as an ordinary user' },
  async (t) => {
    const folder = temporaryFolder(t);
    chownSync(folder, NOBODY.uid, NOBODY.gid);
    const answer = await startOwner(t, folder, NOBODY).answer;
    if (answer.refused?.startsWith('ended with'))
      return t.pass('not tried', { skip: 'the user nobody cannot read this program' });
    t.same(await query(answer.url ?? '', 'select 1 as one'), [{ one: 1 }]);
    t.same(readdirSync(folder).includes('cluster'), true);
  },
);

t.test(
  'root without user namespaces gives the folder to another user',
  { skip: !asRoot && 'only for root' },
  async (t) => {
    const env = { PATH: '/nonexistent' };
    const folder = temporaryFolder(t, 0o755);
    t.same(await query(await urlOf(startOwner(t, folder, { env })), 'select 1 as one'), [{ one: 1 }]);

    const hidden = join(temporaryFolder(t, 0o700), 'data', 'postgres');
    t.match((await startOwner(t, hidden, { env }).answer).refused, /does not run as root.*DATA_DIR/);
  },
);

t.test('root’s folder that nobody else may enter works', { skip: !asRoot && 'only for root' }, async (t) => {
  const folder = join(temporaryFolder(t, 0o700), 'data', 'postgres');
  t.same(await query(await urlOf(startOwner(t, folder)), 'select 1 as one'), [{ one: 1 }]);
});

type Test = Parameters<typeof temporaryFolder>[0];
