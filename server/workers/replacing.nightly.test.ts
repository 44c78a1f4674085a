/** Failures while workers are started and replaced, with small workers that follow instructions. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { watchProcess } from '../testing/processes.ts';

t.setTimeout(60_000);

/**
 * A primary with two workers, which print what they do. If the file `held` exists, they listen and retire only after
 * SIGUSR2; if `deaf` exists, they never retire. After SIGUSR2 or SIGQUIT to the primary, forks fail in two ways.
 */
const program = (folder: string, retireTimeout: number) => `
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { runPrimary } from '${new URL('./primary.js', import.meta.url)}';

const say = (word) => console.log(word + ' ' + process.pid);
const isSet = (name) => existsSync('${folder}/' + name);
if (cluster.isPrimary) {
  process.on('SIGUSR2', () => cluster.setupPrimary({ cwd: '${folder}/nowhere' }));
  process.on('SIGQUIT', () => cluster.setupPrimary({ uid: 'nobody' }));
  process.on('SIGCONT', () => cluster.setupPrimary({ cwd: undefined, uid: undefined }));
  const onListening = () => undefined;
  process.exit(await runPrimary({ workers: 2, say: console.error, onListening, retireTimeout: ${retireTimeout} }));
}
let go = () => undefined;
process.on('SIGUSR2', () => go());
const signaled = () => new Promise((resolve) => {
  if (isSet('held')) go = resolve;
  else resolve();
});
process.on('SIGTERM', () => process.exit(0));
process.on('message', async () => {
  say('retiring');
  if (isSet('deaf')) return;
  await signaled();
  process.exit(0);
});
say('begun');
await signaled();
createServer().listen(0, () => say('listening'));
`;

type Running = Awaited<ReturnType<typeof start>>;

async function start(t: Test, retireTimeout = 60_000) {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'primary.mjs');
  writeFileSync(file, program(folder, retireTimeout));
  const child = spawn(process.execPath, [file], { env: { PATH: process.env.PATH } });
  const { ended, stdout, stderr } = watchProcess(t, child);
  const running = {
    child: child as ChildProcess,
    ended,
    set: (name: string) => writeFileSync(join(folder, name), ''),
    stderr,
    /** Process ids of those that have said so, in that order. */
    those: (word: string) => [...stdout().matchAll(new RegExp(`${word} (\\d+)`, 'g'))].map(([, pid]) => Number(pid)),
  };
  await eventually('both workers listen', () => running.those('listening').length === 2);
  return running;
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const alive = ({ those }: Running) => those('begun').filter(isAlive);

async function stop({ child, ended }: Running): Promise<number | null> {
  child.kill('SIGTERM');
  return ended;
}

t.test(
  'a stop in the middle of a replacement starts no further worker, and waits for the one that retires',
  async (t) => {
    const server = await start(t);
    const { child, those } = server;
    server.set('held');
    child.kill('SIGHUP');
    process.kill(await eventually('a third worker begins', () => those('begun')[2]), 'SIGUSR2');
    await eventually('a worker is retiring', () => those('retiring').length === 1);
    t.equal(await stop(server), 0);
    t.equal(those('begun').length, 3);
    t.same(alive(server), []);
  },
);

t.test('a stop while a new worker begins ends that one too', async (t) => {
  const server = await start(t);
  server.set('held');
  server.child.kill('SIGHUP');
  await eventually('a third worker begins', () => server.those('begun').length === 3);
  t.equal(await stop(server), 0);
  t.same(alive(server), []);
});

t.test('a worker that dies during its replacement does not change the number of workers', async (t) => {
  const server = await start(t);
  const { child, those, stderr } = server;
  const [victim = 0] = those('begun');
  server.set('held');
  child.kill('SIGHUP');
  const next = await eventually('a third worker begins', () => those('begun')[2]);
  process.kill(victim, 'SIGKILL');
  await eventually('the end of the killed worker in the log', () => stderr().includes('unexpectedly (SIGKILL)'));
  process.kill(next, 'SIGUSR2');
  await eventually('all workers are replaced', () => {
    if (stderr().includes('All workers are replaced.')) return true;
    // Workers that begin or retire from now on wait for the signal.
    for (const pid of those('begun').slice(3).concat(those('retiring')).filter(isAlive)) process.kill(pid, 'SIGUSR2');
    return false;
  });
  t.equal(alive(server).length, 2);
  t.equal(await stop(server), 0);
});

t.test('a worker that dies while the one before it retires is started again at once', async (t) => {
  const server = await start(t);
  const { child, those, stderr } = server;
  server.set('held');
  child.kill('SIGHUP');
  const next = await eventually('a third worker begins', () => those('begun')[2]);
  process.kill(next, 'SIGUSR2');
  const retiring = await eventually('a worker is retiring', () => those('retiring')[0]);
  process.kill(next, 'SIGKILL');
  await eventually('a fourth worker begins', () => those('begun')[3]);
  t.ok(isAlive(retiring), 'and that one goes on');
  t.match(stderr(), /unexpectedly \(SIGKILL\)/);
  t.equal(await stop(server), 0);
  t.same(alive(server), []);
});

t.test('a worker that does not retire is killed, and does not hold up the others', async (t) => {
  const server = await start(t, 50);
  const { child, those, stderr } = server;
  server.set('deaf');
  const old = those('begun');
  child.kill('SIGHUP');
  await eventually('all workers are replaced', () => stderr().includes('All workers are replaced.'));
  t.same(those('retiring'), old);
  t.same(old.filter(isAlive), []);
  t.equal(await stop(server), 0);
});

for (const [signal, why] of [
  ['SIGUSR2', 'ENOENT'],
  ['SIGQUIT', 'options.uid'],
] as const) {
  t.test(`forks that fail end nobody, and are tried again (${why})`, async (t) => {
    const server = await start(t);
    const { child, those, stderr } = server;
    const [victim = 0, other = 0] = those('begun');
    child.kill(signal);
    process.kill(victim, 'SIGKILL');
    await eventually('the failed fork in the log', () =>
      new RegExp(`A worker could not be started \\(.*${why}.*\\); starting another`).test(stderr()),
    );
    child.kill('SIGHUP');
    await eventually('the failed replacement in the log', () =>
      /The new worker does not start \(.*\): the old ones stay/.test(stderr()),
    );
    t.same(alive(server), [other]);
    child.kill('SIGCONT');
    await eventually('a third worker listens', () => those('listening').length === 3);
    t.equal(await stop(server), 0);
  });
}
