import t from 'tap';
import { logIn } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { beforePeople } from '../../testing/postgres/before-people.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { accountWith } from '../../testing/share.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'album_images', 'api_tokens', 'installation'];

t.test(
  'a database from before roles keeps all rows, its sessions stay open, and nobody is an administrator',
  async (t) => {
    const config = await testConfig(t);
    const url = config.databaseUrl ?? '';
    const before = await buildTestApp(t, config);
    const { account } = await accountWith(before);
    await before.close();

    const kept = await keptRows(url, tables);
    await beforePeople(url);
    const after = await buildTestApp(t, config);
    t.same(await keptRows(url, tables), kept);

    t.equal((await after.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode, 200);
    await logIn(after, account);
    t.match(await query(url, 'select role, pending_since from users'), [{ role: 'user', pending_since: null }]);
    t.match(await query(url, 'select method from sessions'), [{ method: 'password' }, { method: 'password' }]);
  },
);
