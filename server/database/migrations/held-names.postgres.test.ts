import t from 'tap';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { beforeHeldNames } from '../../testing/postgres/before-held-names.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { accountWith, password } from '../../testing/share.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'shares', 'stable_links', 'audit_log', 'password_resets'];

t.test('a database from before held names keeps all rows, and names are held from then on', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const { account, share } = await accountWith(before);
  await share({ short_name: 'on-a-poster', password });
  await query(
    url,
    `insert into password_resets (user_id, token_hash, expires_at) values ('${account.id}', 'hash', now() + interval '1 hour')`,
  );
  await before.close();

  await beforeHeldNames(url);
  const kept = await keptRows(url, tables);
  const after = await buildTestApp(t, config);
  t.same(await keptRows(url, tables), kept);
  await query(url, 'delete from shares');
  t.match(await query(url, 'select kind, name, owner_id from held_names'), [
    { kind: 'share', name: 'on-a-poster', owner_id: account.id },
  ]);
  t.equal((await after.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode, 200);
});
