/** Failures of strangers must not fill the audit log, and their number is not lost. */
import t from 'tap';
import { logIn, signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';

const app = await buildTestApp(t, { rateLimit: 'on' });

const failed = async () =>
  (
    await app.db.execute(`select details from audit_log where action in ('login.failed', 'proof.failed') order by id`)
  ).map(({ details }) => details as Record<string, unknown>);
const fail = (remoteAddress: string) =>
  app.inject({
    ...{ method: 'POST', url: '/api/auth/login', remoteAddress },
    payload: { email: `x${remoteAddress.replaceAll(':', '-')}@example.com`, password: 'wrong' },
  });
/** Sets the count of a limit in its window. */
const spend = (key: string, count: number) =>
  app.db.execute(
    `insert into rate_limits (key, count, resets_at) values ('audit:${key}', ${count}, now() + interval '1 hour')
      on conflict (key) do update set count = excluded.count`,
  );

t.test('an address, a /48, all strangers and all accounts add a limited number of entries', async (t) => {
  const account = await signIn(app);
  const wrong = { password: 'wrong' };
  const prove = () =>
    app.inject({ method: 'POST', url: '/api/account/proof', headers: account.bearer, payload: wrong });
  for (const [key, most, again] of [
    ['192.0.2.1', 20, () => fail('192.0.2.1')],
    ['2001:db8:1::/48', 80, () => fail(`2001:db8:1:${Math.floor(Math.random() * 9999)}::1`)],
    ['strangers', 400, () => fail('192.0.2.3')],
    [account.id, 20, prove],
    ['accounts', 400, prove],
  ] as const) {
    await app.db.execute('delete from rate_limits');
    await spend(key, most - 1);
    const before = (await failed()).length;
    await again();
    t.match((await failed()).slice(before), [{ more: true }], `the last one for ${key}`);
    await again();
    t.equal((await failed()).length, before + 1, `no entry beyond the limit of ${key}`);
  }
});

t.test('one entry an hour has the number of the failures without an entry', async (t) => {
  await app.db.execute('delete from rate_limits');
  await spend('strangers', 400);
  const before = (await failed()).length;
  for (const address of ['192.0.2.11', '192.0.2.12', '2001:db8:2::1']) await fail(address);
  await app.sweeps.run();
  t.equal((await failed()).length, before, 'not before the hour has ended');
  await app.db.execute(`update rate_limits set resets_at = now() where key like 'tally:%'`);
  for (let sweep = 0; sweep < 2; sweep += 1) await app.sweeps.run();
  t.same((await failed()).slice(before), [{ reason: 'counted', failures: 3 }]);
});

t.test('failures of an account that is known are limited too', async (t) => {
  const account = await signIn(app);
  await app.db.execute(`update users set disabled_at = now() where id = '${account.id}'`);
  await spend(account.id, 20);
  const before = (await failed()).length;
  await t.rejects(logIn(app, account));
  t.equal((await failed()).length, before);
});
