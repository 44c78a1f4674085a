import { readFileSync } from 'node:fs';
import t from 'tap';
import { postmasterPid, query, startOwner, temporaryFolder } from '../../testing/postgres/embedded.ts';

t.setTimeout(110_000);

t.test('a second server on a folder is refused in one line, and the first keeps running', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  const url = await first.url();
  const before = postmasterPid(folder);
  const { refused = '' } = await startOwner(t, folder).answer;
  t.match(refused, `(pid ${first.child.pid}) is already using the database in ${folder}`);
  t.notMatch(refused, '\n');
  t.same(await query(url, 'select 1 as one'), [{ one: 1 }]);
  t.equal(postmasterPid(folder), before);
});

t.test('a suspended process still owns its database', async (t) => {
  const folder = temporaryFolder(t);
  const first = startOwner(t, folder);
  await first.url();
  first.child.kill('SIGSTOP');
  t.match((await startOwner(t, folder).answer).refused, 'Another process is already using');
  first.child.kill('SIGCONT');
});

for (const [name, prepare] of [
  ['an empty folder', async () => {}],
  [
    'a folder whose owner was killed',
    async (t: Test, folder: string) => {
      const owner = startOwner(t, folder);
      await owner.url();
      await owner.kill();
    },
  ],
] as const) {
  t.test(`one of four processes that start at once on ${name} wins, and three are refused`, async (t) => {
    const folder = temporaryFolder(t);
    await prepare(t, folder);
    const answers = await Promise.all([1, 2, 3, 4].map(() => startOwner(t, folder).answer));
    const urls = answers.flatMap(({ url = [] }) => url);
    t.equal(urls.length, 1);
    for (const { refused } of answers.filter(({ url }) => !url)) t.match(refused, 'is already using the database');
    t.same(await query(urls[0] ?? '', 'select 1 as one'), [{ one: 1 }]);
  });
}

t.test('Ctrl-C in the terminal reaches only the server, which then stops Postgres', async (t) => {
  const folder = temporaryFolder(t);
  const owner = startOwner(t, folder);
  await owner.url();
  const pid = postmasterPid(folder);
  const group = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]);
  t.equal(group, pid, 'Postgres is in a separate process group');
  owner.child.kill('SIGTERM');
  await owner.ended;
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

type Test = Parameters<typeof temporaryFolder>[0];
