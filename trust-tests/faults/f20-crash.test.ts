import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { noise } from '../../server/testing/pictures.ts';
import { newAccount, send } from '../testing/account.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { pictures, storm, uploadInto } from '../testing/load/storm.ts';
import { below, decodersOf, lives, memoryOf } from '../testing/machine/processes.ts';
import { run, type Started } from '../testing/server-process.ts';

const planted = `process.on('SIGUSR2', () => { Promise.reject(new Error('a planted failure')); });`;

/** Makes the server reject a promise that nobody handles when it gets SIGUSR2. @returns its environment */
async function withMistake(t: Test): Promise<Record<string, string>> {
  const file = join(await temporaryFolder(t), 'mistake.mjs');
  writeFileSync(file, planted);
  return { NODE_OPTIONS: `--import=${file}` };
}

const program = join(import.meta.dirname, '..', '..', 'program');

/** Wraps the server's command in its supervisor, as `npm start` does after the build. */
async function supervised(t: Test): Promise<(server: readonly string[]) => string[]> {
  const file = join(await temporaryFolder(t), 'supervised.mjs');
  writeFileSync(
    file,
    `import { supervise } from ${JSON.stringify(join(program, 'supervisor.js'))};
     process.exit(await supervise(process.argv[2]));`,
  );
  return ([node = '', flag = '', main = '']) => [node, flag, file, main];
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

/** @returns the server's own process, once it listens for the nth time */
async function serverOf({ child, output }: Started, nth: number): Promise<{ pid: number; origin: string }> {
  const origins = await eventually(`it listens for the ${nth}. time`, () => {
    const found = [...output().matchAll(/listening at (http:[^"\s]+)/gi)];
    return found.length >= nth && found;
  });
  const server = below(child.pid ?? 0).find(({ command }) => command.includes('program/main.js'));
  return { pid: server?.pid ?? 0, origin: origins[nth - 1]?.[1] ?? '' };
}

fault('F20', 'an unhandled rejection ends the server with one log line and loses no picture', async (t) => {
  const home = await createHome(t, await withMistake(t));
  const ledger = createLedger();
  const server = await home.start();
  const account = await newAccount(server.origin);
  const clients = storm(ledger, server.origin, account);
  await eventually('the storm is under way', () => ledger.answered > 5);
  process.kill(server.pid, 'SIGUSR2');
  t.equal(await server.ended, 70);
  await clients.stop();
  const told = linesOf(server.output()).filter((line) => line.includes('a planted failure'));
  t.equal(told.length, 1, 'the log has one line');
  t.match(JSON.parse(told[0] ?? '{}'), { level: 60, msg: 'the server crashed' });
  const next = await home.start();
  await checkAnswers(t, next.origin, account, ledger);
  await checkBytes(t, home);
});

fault('F20', 'npm start restarts a server that crashes or is killed', async (t) => {
  const home = await createHome(t, await withMistake(t));
  const ledger = createLedger();
  const sinceStart = stopwatch();
  const started = home.launch({}, await supervised(t));
  const first = await serverOf(started, 1);
  const usual = sinceStart();
  const account = await newAccount(first.origin);
  await uploadInto(ledger, first.origin, account, await pictures(3));
  process.kill(first.pid, 'SIGUSR2');
  const sinceCrash = stopwatch();
  const second = await serverOf(started, 2);
  within(t, 'F20', 'back after a crash in', sinceCrash(), 10, usual);
  await uploadInto(ledger, second.origin, account, await pictures(3));
  process.kill(second.pid, 'SIGKILL');
  const sinceKill = stopwatch();
  const third = await serverOf(started, 3);
  within(t, 'F20', 'back after kill -9 in', sinceKill(), 10, usual);
  await checkAnswers(t, third.origin, account, ledger);
  await checkBytes(t, home);
  const told = linesOf(started.output()).filter((line) => line.startsWith('The server exited unexpectedly'));
  t.match(told, [/\(exit code 70\)/, /\(SIGKILL\)/]);

  started.child.kill('SIGTERM');
  t.equal(await started.ended, 0, 'the supervisor stops the server and exits with its code');
  t.notOk(lives(third.pid));
});

fault('F20', 'a configuration error at the start is printed once and the server is not restarted', async (t) => {
  const command = await supervised(t);
  const wrong = run(t, { PORT: 'abc' }, command);
  t.equal(await wrong.ended, 1);
  t.match(linesOf(wrong.output()), [/^PORT must be/]);
  t.equal(linesOf(wrong.output()).length, 1);
});

fault('F20', 'a server does not outlive its supervisor and can be restarted at once', async (t) => {
  const home = await createHome(t);
  const started = home.launch({}, await supervised(t));
  const { pid } = await serverOf(started, 1);
  started.child.kill('SIGKILL');
  await eventually('the server has ended', () => !lives(pid));
  await home.start();
});

fault('F20', 'Ctrl-C, which every process gets and npm also forwards, is one graceful shutdown', async (t) => {
  const home = await createHome(t);
  const started = home.launch({}, await supervised(t));
  const { pid } = await serverOf(started, 1);
  for (const receiver of [pid, started.child.pid ?? 0, started.child.pid ?? 0]) process.kill(receiver, 'SIGINT');
  t.equal(await started.ended, 0);
  t.match(started.output(), /stopping: requests in flight end first/);
  t.notOk(lives(pid));
});

fault('F20', 'a killed decoder fails at most one picture', async (t) => {
  const home = await createHome(t);
  const server = await home.start();
  const account = await newAccount(server.origin);
  const name = 'a-large-one.png';
  // Kills the decoder before it is ready and, judging by its memory, while it decodes.
  for (const [round, grown] of [0, 110e6, 140e6].entries()) {
    let answered = false;
    // The pictures differ: a stored one is not decoded again.
    const bytes = await noise(3000 + round, 2000, 'png');
    const answer = send(server.origin, account, [{ name, bytes }]).finally(() => {
      answered = true;
    });
    const decoder = await eventually('a decoder at work', () =>
      answered ? 0 : decodersOf(server.pid).find((pid) => memoryOf(pid) > grown),
    );
    if (decoder) process.kill(decoder, 'SIGKILL');
    const { status } = await answer;
    t.ok(status === 201 || status === 422, `the answer is ${status}`);
  }
  const ledger = createLedger();
  t.equal((await uploadInto(ledger, server.origin, account)).status, 201);
  t.ok(lives(server.pid));
});
