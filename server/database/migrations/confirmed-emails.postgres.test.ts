import t from 'tap';
import { hashToken } from '../../mail/token.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { beforeConfirmedEmails } from '../../testing/postgres/before-confirmed-emails.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { accountWith } from '../../testing/share.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'api_tokens', 'passkeys', 'identities', 'installation'];

t.test('accounts of an earlier version keep all rows and reset links, and are unconfirmed', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const { account } = await accountWith(before);
  await before.close();

  await beforeConfirmedEmails(url);
  await query(
    url,
    `insert into password_resets values ('${account.id}', '${hashToken('secret')}', now() + interval '1 hour')`,
  );
  const kept = await keptRows(url, tables);
  const after = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept);
  t.same(await query(url, 'select email_confirmed_at from users'), [{ email_confirmed_at: null }]);
  const payload = { token: 'secret', password: 'another long password' };
  t.equal((await after.inject({ method: 'POST', url: '/api/auth/reset', payload })).statusCode, 204);
  t.same(
    await query(url, 'select email_confirmed_at from users'),
    [{ email_confirmed_at: null }],
    'it may be handed out',
  );
});
