/** deploy/pgbouncer/pgbouncer.ini, read by a real PgBouncer before a real Postgres; only places and ports are the test's. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createPooledDatabase, withoutPgbouncer } from '../testing/postgres/pgbouncer.ts';

t.setTimeout(120_000);

const ini = readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8');

t.test('the pooler gives each transaction a session, and asks for passwords', async (t) => {
  t.match(ini, /^pool_mode = transaction$/m);
  t.match(ini, /^auth_type = scram-sha-256$/m);
});

t.test('pictures are stored and listed through it', { skip: withoutPgbouncer }, async (t) => {
  const { url, direct } = await createPooledDatabase(t, 20, ini);
  const app = await buildTestApp(t, { databaseUrl: url, databaseDirectUrl: direct });
  const account = await signIn(app);
  await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const list = await app.inject({ url: '/api/images/', headers: account.bearer });
  t.equal(list.json().total, 1);
});

t.test('whoever has not the password is not let in', { skip: withoutPgbouncer }, async (t) => {
  const { url, direct } = await createPooledDatabase(t, 20, ini);
  const wrong = new URL(url);
  wrong.password = 'another';
  const databaseUrl = wrong.href;
  await t.rejects(buildTestApp(t, { databaseUrl, databaseDirectUrl: direct }), { code: 'DATABASE_START' });
});
