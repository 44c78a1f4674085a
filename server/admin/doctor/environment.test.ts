import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/read-config.ts';
import { connect } from '../../database/connect.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { checkClock, checkSettings } from './environment.ts';
import type { Issue } from './issues.ts';

async function settingsOf(t: Test, changes: Partial<Config>): Promise<string[]> {
  const issues: Issue[] = [];
  const dataDir = await temporaryFolder(t);
  await checkSettings({ ...readConfig({}), dataDir, ...changes }, (issue) => issues.push(issue));
  return issues.map(({ kind, subject }) => `${kind} ${subject}`);
}

t.test('settings that allow a break-in are reported as unsafe', async (t) => {
  const careful: Partial<Config> = {
    publicUrl: 'https://img.example.com',
    registration: 'closed',
    trustProxy: ['127.0.0.1'],
  };
  t.same(await settingsOf(t, careful), []);
  t.same(await settingsOf(t, { ...careful, rateLimit: 'off' }), ['setting unsafe RATE_LIMIT']);
  t.same(await settingsOf(t, { ...careful, publicUrl: 'http://img.example.com' }), ['setting open PUBLIC_URL']);
  t.same(await settingsOf(t, { ...careful, registration: 'open' }), [
    'setting open REGISTRATION',
    'setting open QUOTA',
  ]);
  t.same(await settingsOf(t, { ...careful, registration: 'open', quota: 1e9 }), ['setting open REGISTRATION']);
});

t.test('a secret file that others can read is unsafe', async (t) => {
  const dataDir = await temporaryFolder(t);
  const path = join(dataDir, 'jwt-secret');
  await writeFile(path, 'secret', { mode: 0o600 });
  const unsafe = async (changes: Partial<Config> = {}) =>
    (await settingsOf(t, { dataDir, ...changes })).filter((each) => each.startsWith('setting unsafe'));
  t.same(await unsafe(), []);
  await chmod(path, 0o640);
  t.same(await unsafe(), [`setting unsafe ${path}`]);
  t.same(await unsafe({ jwtSecret: 'x'.repeat(32) }), [], 'the file is not in use');
});

t.test('clocks more than five seconds apart are reported', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, close } = connect(url);
  t.teardown(close);
  const apart = async (ms: number) => {
    const issues: Issue[] = [];
    await checkClock(
      db,
      (issue) => issues.push(issue),
      () => Date.now() + ms,
    );
    return issues.length;
  };
  t.equal(await apart(0), 0);
  t.equal(await apart(60_000), 1);
  t.equal(await apart(-60_000), 1);
});
