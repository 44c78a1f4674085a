import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { query, startOwner, temporaryFolder } from '../../testing/postgres/embedded.ts';

const asRoot = process.getuid?.() === 0 && process.platform === 'linux';
const NOBODY = { uid: 65534, gid: 65534 };

t.setTimeout(110_000);

t.test('Postgres starts as an ordinary user', { skip: !asRoot && 'these tests run as an ordinary user' }, async (t) => {
  const folder = temporaryFolder(t);
  chownSync(folder, NOBODY.uid, NOBODY.gid);
  const answer = await startOwner(t, folder, NOBODY).answer;
  if (answer.refused?.startsWith('ended with'))
    return t.pass('not tried', { skip: 'the user nobody cannot read this program' });
  t.same(await query(answer.url ?? '', 'select 1 as one'), [{ one: 1 }]);
  t.same(readdirSync(folder).includes('cluster'), true);
});

t.test(
  'root without user namespaces passes the folder to another user',
  { skip: !asRoot && 'only for root' },
  async (t) => {
    const path = '/nonexistent';
    const folder = temporaryFolder(t, 0o755);
    t.same(await query(await startOwner(t, folder, { path }).url(), 'select 1 as one'), [{ one: 1 }]);

    const hidden = join(temporaryFolder(t, 0o700), 'data', 'postgres');
    t.match((await startOwner(t, hidden, { path }).answer).refused, /does not run as root.*DATA_DIR/);
  },
);

t.test('root can use a folder that only root may enter', { skip: !asRoot && 'only for root' }, async (t) => {
  const folder = join(temporaryFolder(t, 0o700), 'data', 'postgres');
  t.same(await query(await startOwner(t, folder).url(), 'select 1 as one'), [{ one: 1 }]);
});
