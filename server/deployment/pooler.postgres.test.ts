/** Runs a real PgBouncer with deploy/pgbouncer/pgbouncer.ini; only folders and ports are replaced. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createPooledDatabase, withoutPgbouncer } from '../testing/postgres/pgbouncer.ts';

t.setTimeout(120_000);

const ini = readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8');

t.test('the pooler uses transaction mode and requires passwords', async (t) => {
  t.match(ini, /^pool_mode = transaction$/m);
  t.match(ini, /^auth_type = scram-sha-256$/m);
});

t.test('pictures are stored and listed through the pooler', { skip: withoutPgbouncer }, async (t) => {
  const { url, direct } = await createPooledDatabase(t, 20, ini);
  const app = await buildTestApp(t, { databaseUrl: url, databaseDirectUrl: direct });
  const account = await signIn(app);
  await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const list = await app.inject({ url: '/api/images/', headers: account.bearer });
  t.equal(list.json().total, 1);
});

t.test('a wrong password is refused', { skip: withoutPgbouncer }, async (t) => {
  const { url, direct } = await createPooledDatabase(t, 20, ini);
  const wrong = new URL(url);
  wrong.password = 'another';
  const databaseUrl = wrong.href;
  await t.rejects(buildTestApp(t, { databaseUrl, databaseDirectUrl: direct }), { code: 'DATABASE_START' });
});
