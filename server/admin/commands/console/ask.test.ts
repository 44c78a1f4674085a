import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { insertUser } from '../../../auth/queries.ts';
import { connect } from '../../../database/connect.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { query, temporaryFolder } from '../../../testing/postgres/embedded.ts';

const program = fileURLToPath(new URL('../../../../program/admin.js', import.meta.url));
// `script` of util-linux gives a program its own terminal.
const skip = spawnSync('script', ['--version']).stdout?.includes('util-linux')
  ? false
  : 'script of util-linux is not installed';

/** Runs a command on a terminal; types each answer once its question appears. */
async function onTerminal(t: Test, args: string[], env: Record<string, string>, answers: [RegExp, string][]) {
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  const child: ChildProcess = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let [screen, seen] = ['', 0];
  const waiting = [...answers];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [question, answer] = waiting[0] ?? [];
    if (!question?.test(screen.slice(seen))) return;
    seen = screen.length;
    waiting.shift();
    child.stdin?.write(answer ?? '');
  });
  const [code] = await once(child, 'close');
  return { code, screen };
}

const { url } = await createTestDatabase(t);
const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder(t) };

const create = (username: string) => ['users', 'create', '--username', username, '--email', `${username}@example.com`];
const userNamed = async (username: string) =>
  (await query(url, `select password_hash from users where username = '${username}'`))[0];

t.test('the terminal prompts for a password twice and never shows it', { skip }, async (t) => {
  const secret = 'very secret قفل';
  const { code, screen } = await onTerminal(t, create('amira'), env, [
    [/Password: $/, `${secret}\r`],
    [/Once more: $/, `${secret}\r`],
  ]);
  t.equal(code, 0, screen);
  t.match(screen, /The account "amira" \(amira@example\.com\) is made/);
  t.notMatch(screen, 'secret');
  const user = await userNamed('amira');
  const { verify } = await import('@node-rs/argon2');
  t.equal(await verify(String(user?.password_hash), secret), true);
});

t.test('no account is created if the two passwords differ or Ctrl-C is pressed', { skip }, async (t) => {
  const differ = await onTerminal(t, create('nadia'), env, [
    [/Password: $/, 'very secret\r'],
    [/Once more: $/, 'very sacred\r'],
  ]);
  t.match(differ, { code: 1, screen: /The two passwords are not the same/ });
  const broken = await onTerminal(t, create('nadia'), env, [[/Password: $/, 'very se\x03']]);
  t.match(broken, { code: 130, screen: /Interrupted/ });
  t.equal(await userNamed('nadia'), undefined);
});

t.test('a deletion is confirmed by typing the username', { skip }, async (t) => {
  const { db, close } = connect(url, { max: 1 });
  t.teardown(close);
  await insertUser(db, { username: 'noor', email: 'noor@example.com', passwordHash: 'none' });
  const args = ['users', 'delete', 'noor@example.com'];
  const wrong = await onTerminal(t, args, env, [[/Type noor to continue: $/, 'yes\r']]);
  t.match(wrong, { code: 1, screen: /deletes the account "noor" .* and its 0 images \(0 B\) for good/ });
  t.match(wrong.screen, 'Nothing was changed.');
  t.ok(await userNamed('noor'));
  const { code, screen } = await onTerminal(t, args, env, [[/Type noor to continue: $/, 'noor\r']]);
  t.equal(code, 0, screen);
  t.equal(await userNamed('noor'), undefined);
});
