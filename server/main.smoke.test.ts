import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { temporaryFolder } from './testing/app.ts';
import { eventually } from './testing/eventually.ts';
import { form } from './testing/form.ts';
import { picture } from './testing/pictures.ts';
import { createTestDatabase } from './testing/postgres/database.ts';
import { createCabledDatabase } from './testing/postgres/database-cable.ts';

const main = fileURLToPath(new URL('../program/main.js', import.meta.url));

type Process = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

function run(t: Test, environment: Record<string, string>): Process {
  const child = spawn(process.execPath, [main], { env: { PATH: process.env.PATH, ...environment } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(() => child.kill('SIGKILL'));
  return { child, output: () => text, ended };
}

async function startServer(t: Test, databaseUrl: string): Promise<Process & { origin: string }> {
  const started = run(t, {
    DATA_DIR: await temporaryFolder(t),
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'trace',
  });
  const origin = await eventually('the server listens', () => {
    if (started.child.exitCode !== null) throw new Error(`the server exited: ${started.output()}`);
    return /listening at (http:\S+?)"/.exec(started.output())?.[1];
  });
  return { ...started, origin };
}

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

t.test('a variable that is wrong stops the start with one line that names it', async (t) => {
  const { ended, output } = run(t, { PORT: 'abc' });
  t.equal(await ended, 1);
  t.equal(output(), 'PORT must be a whole number from 0 to 65535, but was "abc"\n');
});

t.test('a folder that cannot be written and a database that is not there stop it in the same way', async (t) => {
  const folder = run(t, { DATA_DIR: '/dev/null/nowhere' });
  t.equal(await folder.ended, 1);
  t.match(
    folder.output(),
    /^DATA_DIR must be a folder the server can write, but was "\/dev\/null\/nowhere" \(\w+\)\n$/,
  );
  const url = new URL((await createTestDatabase(t)).url);
  url.pathname = '/none';
  url.password ||= 'hidden';
  const database = run(t, { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url.href });
  t.equal(await database.ended, 1);
  const [line = ''] = database.output().trimEnd().split('\n').slice(-1);
  t.match(line, /^DATABASE_URL/);
  t.notOk(database.output().includes(url.password));
});

t.test('a start while the database is away waits, and is ready once it is back', async (t) => {
  const database = await createCabledDatabase(t);
  await database.pull();
  const starting = run(t, {
    DATA_DIR: await temporaryFolder(t),
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'info',
  });
  await eventually(
    'the first line, or the end of the process',
    () => starting.output().includes('\n') || starting.child.exitCode !== null,
  );
  t.match(
    starting.output(),
    /^DATABASE_URL: .* does not answer .*The start waits for it, and tries again every second\.\n/,
  );
  await database.plugIn();
  const origin = () => /listening at (http:\S+?)"/.exec(starting.output())?.[1];
  await eventually('the server listens', () => origin() !== undefined || starting.child.exitCode !== null);
  t.equal((await fetch(`${origin()}/api/health/ready`)).status, 200);
});

t.test('a stop while a start waits for the database ends it with exit code 0', async (t) => {
  const url = 'postgres://someone:hidden@127.0.0.1:1/none';
  const { child, ended, output } = run(t, { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url });
  await eventually(
    'the start waits for the database',
    () => output().includes('The start waits') || child.exitCode !== null,
  );
  child.kill('SIGTERM');
  t.equal(await ended, 0);
  t.notMatch(output(), /hidden/);
});

t.test('SIGTERM ends it with exit code 0', async (t) => {
  const { child, ended } = await startServer(t, (await createTestDatabase(t)).url);
  child.kill('SIGTERM');
  t.equal(await ended, 0);
});

t.test('a stop during the start closes what was opened', async (t) => {
  const dataDir = await temporaryFolder(t);
  const { child, ended, output } = run(t, { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' });
  const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  await eventually('the pid file of the embedded database', () => existsSync(pidFile) || child.exitCode !== null);
  child.kill('SIGTERM');
  t.equal(await ended, 0, output());
  t.notMatch(output(), /listening/, 'it was still starting');
  t.notOk(existsSync(pidFile), 'its Postgres has stopped');
});

t.test('a port in use is reported in one line', async (t) => {
  const { url } = await createTestDatabase(t);
  const { origin } = await startServer(t, url);
  const second = run(t, {
    DATA_DIR: await temporaryFolder(t),
    DATABASE_URL: url,
    PORT: new URL(origin).port,
    LOG_LEVEL: 'silent',
  });
  t.equal(await second.ended, 1);
  t.match(second.output(), /^PORT \d+ on 127\.0\.0\.1 is already in use[^\n]*\n$/);
});

t.test('the log holds no password, token, cookie, email, search or link, not even when a query fails', async (t) => {
  const database = await createCabledDatabase(t);
  const { origin, output, child, ended } = await startServer(t, database.url);
  const account = { username: 'amira', email: 'amira@secret.example', password: 'sesame-open-wide' };
  await fetch(`${origin}/api/auth/register`, json(account));
  await fetch(`${origin}/api/auth/login`, json({ ...account, password: 'sesame-wrong' }));
  const login = await fetch(`${origin}/api/auth/login`, json(account));
  const { access_token: token } = (await login.json()) as { access_token: string };
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? 'none';
  const authorization = `Bearer ${token}`;
  const { headers, payload } = await form([{ name: 'private.png', bytes: await picture() }]);
  const upload = await fetch(`${origin}/api/images/upload`, {
    method: 'POST',
    headers: { ...headers, authorization },
    body: payload,
  });
  const { images } = (await upload.json()) as { images: { url: string }[] };
  const link = new URL(images[0]?.url ?? '').pathname;
  await fetch(origin + link);
  await fetch(`${origin}/api/images/?search=private-search`, { headers: { cookie } });
  await database.pull();
  // What is in memory is answered until it is known that the database is gone.
  await eventually('the link answers 503', async () => (await fetch(origin + link)).status === 503);
  await fetch(`${origin}/api/auth/login`, json(account));
  child.kill('SIGTERM');
  await ended;
  t.match(output(), /DATABASE_UNAVAILABLE/, 'the failure itself is logged');
  const secrets = [
    account.password,
    account.email,
    'sesame-wrong',
    token,
    cookie.split('=')[1] ?? '',
    'private-search',
  ];
  for (const secret of [...secrets, link.slice(3, 20)]) t.notOk(output().includes(secret), secret.slice(0, 12));
});
