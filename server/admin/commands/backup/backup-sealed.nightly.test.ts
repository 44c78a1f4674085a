/** An administrator makes, kills, lists and verifies sealed backups. */
import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parseDatabaseUrl } from '../../../database/address.ts';
import { openClient } from '../../../database/client.ts';
import { testKeyring } from '../../../storage/testing/keyring.ts';
import { account, newEnvironment, upload } from '../../../testing/collections/whole-gallery.ts';
import { eventually } from '../../../testing/eventually.ts';
import { query, temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startProcess, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

t.test('a sealed backup is killed, continued, listed, verified and restored', async (t) => {
  const key = randomBytes(32);
  const bare = await newEnvironment(t, 'DATABASE_URL');
  const url = `${bare.DATABASE_URL}`;
  const from = { ...bare, ENCRYPTION_KEY: key.toString('base64') };
  const server = await startServer(t, from);
  const headers = await account(server);
  await upload(server, headers, 3);
  const file = join(temporaryFolder(t), 'backup.tar');
  t.match(await admin(t, ['backup', file], from), { code: 0, stdout: /3 images of 1 account/, stderr: '' });
  const before = await readFile(file);
  await upload(server, headers, 3);

  // Blocks the backup after the images' rows.
  const sql = openClient(parseDatabaseUrl(url), { max: 2 });
  t.teardown(() => sql.end({ timeout: 5 }));
  await sql.begin(async (tx) => {
    await tx`lock table albums in access exclusive mode`;
    const backup = startProcess(t, 'admin', ['backup', file], from);
    const waits = () => sql`select 1 from pg_locks where not granted and relation = 'albums'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
    await eventually('the backup waits for its lock on albums', async () => (await waits()).length > 0);
    backup.child.kill('SIGKILL');
    await backup.ended;
  });
  t.ok((await stat(file)).size > before.length, 'the append had begun');
  const left = await readFile(file);
  t.ok(left.subarray(0, before.length - 1024).equals(before.subarray(0, -1024)), 'the earlier content is unchanged');
  for (const { sha256, link_key: link } of await query(url, 'select sha256, link_key from images')) {
    t.notOk(left.includes(`${sha256}`) || left.includes(`${link}`), 'the unfinished part contains no row values');
  }
  t.match(await admin(t, ['restore', '--list', file], from), {
    code: 0,
    stdout: /1 +3 /,
    stderr: /interrupted backup/,
  });
  t.match(await admin(t, ['backup', file], from), { code: 0 });

  const listed = await admin(t, ['restore', '--list', file], bare);
  t.match(listed, { code: 0, stdout: /(\n20\S+( +sealed){5}){2}/ });
  const blind = await admin(t, ['restore', '--verify', file], bare);
  t.match(blind, { code: 0, stdout: /Every SHA-256 is right.*no ENCRYPTION_KEY.*was not checked/ });
  t.match(await admin(t, ['restore', '--verify', file], from), { code: 0, stdout: /All is well/ });
  const wrong = { ...bare, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  t.match(await admin(t, ['restore', '--verify', file], wrong), {
    code: 1,
    stderr: new RegExp(testKeyring(key).present.id),
  });

  const to = await newEnvironment(t, 'DATABASE_URL');
  const refused = await admin(t, ['restore', file], to);
  t.match(refused, {
    code: 1,
    stderr: /^The snapshot [^\n]* is sealed by the key [0-9a-f]{32}, which is not given[^\n]*\n$/,
  });
  t.match(await admin(t, ['restore', file], { ...to, ENCRYPTION_KEY: from.ENCRYPTION_KEY }), { code: 0 });
  t.match(await query(`${to.DATABASE_URL}`, 'select count(*)::int as count from images'), [{ count: 6 }]);
  t.equal(await server.stop(), 0);
});
