import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { chooseIsolation, launches } from '../pool/choose-isolation.ts';
import { notShown } from '../testing/not-shown.ts';
import type { Findings } from '../testing/run-payload.ts';
import type { Launch, Level } from './launch.ts';

t.setTimeout(240_000);

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('../testing/run-payload.js', import.meta.url));
const SECRETS = { JWT_SECRET: 'not-for-decoders', ENCRYPTION_KEY: 'nor-this', DATABASE_URL: 'postgres://nor:this@x/y' };
const isRoot = process.getuid?.() === 0;
const linux = process.platform === 'linux';

type User = { uid: number; gid: number };

async function attackAs(launch: Launch, user: User | undefined): Promise<Findings> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...SECRETS };
  const { stdout } = await run(process.execPath, [PROGRAM, JSON.stringify(launch)], { env, cwd: '/', ...user });
  return JSON.parse(stdout) as Findings;
}

/** Why a level cannot be tested here; undefined if it can. */
async function missing(level: Level): Promise<string | undefined> {
  if (!linux) return 'only Linux has cages';
  const { launch, refused } = await chooseIsolation(
    tmpdir(),
    launches().filter((one) => one.level === level),
  );
  return launch.level === level ? undefined : `this machine does not allow ${level}: ${refused[level] ?? 'unknown'}`;
}

async function readableBy(user: User): Promise<boolean> {
  return run(process.execPath, ['-e', 'require("node:fs").readFileSync(process.argv[1])', PROGRAM], {
    ...user,
    cwd: '/',
  }).then(
    () => true,
    () => false,
  );
}

const nothing = { got: [], input: true, damaged: [] };

t.test('without a cage, a payload reaches nearly everything', { skip: !linux && 'only Linux has /proc' }, async (t) => {
  const { got, damaged } = await attackAs({ level: 'process' }, undefined);
  const expected = [
    'read jwt-secret',
    'list postgres',
    'the server: read its environment',
    'the server: open its memory',
    'end another process',
    'start a shell',
    'write into an original',
    'empty an original, opened to be read',
    'delete an original',
    'reach the database by its socket',
    'reach an abstract socket',
    'reach a port of this machine',
    'send a datagram',
  ];
  t.strictSame(
    expected.filter((name) => !got.includes(name)),
    [],
    'each attempt succeeds without a cage',
  );
  t.not(damaged.length, 0);
});

for (const launch of launches().filter(({ as }) => as === undefined)) {
  t.test(`a payload reaches nothing: ${launch.level} ${launch.options?.join(' ')}`, async (t) => {
    const reason = await missing(launch.level);
    if (reason !== undefined) return notShown(t, reason);
    t.strictSame(await attackAs(launch, undefined), nothing);
  });
}

t.test(
  'a payload reaches nothing of a server run by an ordinary user',
  { skip: !isRoot && 'only root can become one' },
  async (t) => {
    const user = { uid: 65534, gid: 65534 };
    if (!(await readableBy(user))) return notShown(t, 'the user nobody cannot read this program');
    for (const launch of launches(false, '/nowhere')) {
      const reason = await missing(launch.level);
      if (reason !== undefined) notShown(t, reason);
      else t.strictSame(await attackAs(launch, user), nothing, launch.level);
    }
  },
);

/** Built as in the Dockerfile. */
async function userLauncher(t: Test, gid: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const path = join(folder, 'decoder-setpriv');
  copyFileSync('/usr/bin/setpriv', path);
  await run('chown', [`0:${gid}`, path]);
  chmodSync(path, 0o750);
  await run('setcap', ['cap_setuid,cap_setgid=ep', path]);
  return path;
}

t.test(
  'a payload reaches nothing in the image, where another user decodes',
  { skip: !isRoot && 'only root can build it' },
  async (t) => {
    const user = { uid: 1000, gid: 1000 };
    const tools = await run('setcap', ['-h'])
      .then(() => existsSync('/usr/bin/setpriv'))
      .catch(() => false);
    if (!tools) return notShown(t, 'setcap and setpriv are not installed');
    if (!(await readableBy(user))) return notShown(t, 'the user 1000 cannot read this program');
    const launch = launches(false, await userLauncher(t, user.gid)).find(({ level }) => level === 'user');
    if (launch === undefined) return t.fail('the copy of setpriv was not found');
    t.strictSame(await attackAs(launch, user), nothing);
    // On a kernel without Landlock, the other user and the filter remain.
    const { got, ...rest } = await attackAs({ ...launch, options: ['--landlock=none'] }, user);
    t.strictSame({ ...rest, got: got.filter((name) => !SEEN_BY_ANY_USER.test(name)) }, nothing);
  },
);

/** What Linux shows to every user, and other decoders, which share the user. */
const SEEN_BY_ANY_USER = /^another process:|: see its command line$/;
