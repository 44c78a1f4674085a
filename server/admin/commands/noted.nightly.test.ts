/** What commands write into the audit log. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { account, newEnvironment, originals, upload } from '../../testing/collections/whole-gallery.ts';
import { beforeAlbumViews } from '../../testing/postgres/before-album-views.ts';
import { query, temporaryFolder } from '../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../testing/processes.ts';

t.setTimeout(280_000);

const environment = async () => {
  const { DATA_DIR, DATABASE_URL = '' } = await newEnvironment(t, 'DATABASE_URL');
  return { DATA_DIR, DATABASE_URL, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
};

const entriesIn = async ({ DATABASE_URL }: { DATABASE_URL: string }) => {
  const rows = await query(
    DATABASE_URL,
    `select action, details from audit_log where actor = 'command line' and actor_id is null order by id`,
  );
  return rows.map(({ action, details }) => [action, details]);
};

t.test('commands that read or rewrite the whole gallery are in the audit log', async (t) => {
  const env = await environment();
  const run = async (...args: string[]) => t.match(await admin(t, args, env), { code: 0, stderr: '' }, args.join(' '));
  await beforeAlbumViews(env.DATABASE_URL);
  await run('migrate');
  await run('migrate');
  const server = await startServer(t, env);
  const [image] = await upload(server, await account(server), 1);
  t.equal(await server.stop(), 0);
  await run('renditions', 'rebuild', '--missing');
  await run('encrypt', '--check');
  await run('encrypt');
  await run('rotate-key');
  await run('doctor', '--quick');
  const file = join(temporaryFolder(t), 'backup.tar');
  await run('backup', file);
  const key = `originals/${image?.id.slice(-2)}/${image?.id}.png`;
  await run('restore', file, '--only', key);

  const entries = await entriesIn(env);
  t.match(entries, [
    ['migrate', { version: /^\d/ }],
    ['renditions.rebuild', { missing: true }],
    ['encrypt', {}],
    ['rotate-key', { key: /^[0-9a-f]{32}$/, without: '' }],
    ['doctor', { repair: false, quick: true }],
    ['backup', { file, full: false }],
    ['restore', { snapshot: /^20/, file: key }],
  ]);
  t.equal(entries.length, 7, 'a migration that changes nothing and a check of the encryption are not noted');
  t.notMatch(JSON.stringify(entries), env.ENCRYPTION_KEY);

  const to = { ...(await environment()), ENCRYPTION_KEY: env.ENCRYPTION_KEY };
  t.match(await admin(t, ['restore', file], to), { code: 0, stderr: '' });
  t.equal((await originals(to)).size, 1);
  const restored = await entriesIn(to);
  t.same(restored.slice(0, -1), entries.slice(0, -1), 'the entries of the backup, its own included');
  t.match(restored.at(-1), ['restore', { snapshot: /^20/, files: Number, without: 0 }]);
});

t.test('only the doctor runs on a database that accepts no entry', async (t) => {
  const env = await environment();
  t.match(await admin(t, ['doctor'], env), { code: 0, stdout: /All is well/ });
  await query(env.DATABASE_URL, 'alter table audit_log add constraint full_up check (false) not valid');
  t.match(await admin(t, ['doctor'], env), {
    code: 0,
    stdout: /All is well/,
    stderr: /^The audit log has no entry of this command \(.*full_up.*\)\.\n$/,
  });
  for (const [args, table] of [
    [['invites', 'create', '--name', 'Family', '--origin', 'https://img.example.com'], 'invites'],
    [['users', 'create', '--username', 'zed', '--email', 'zed@example.com', '--password-stdin'], 'users'],
  ] as const) {
    t.match(await admin(t, [...args], env, 'correct horse battery'), { code: 1, stderr: /full_up/ });
    t.same(await query(env.DATABASE_URL, `select id from ${table}`), [], `no row in ${table} without its entry`);
  }
  const name = new URL(env.DATABASE_URL).pathname.slice(1);
  await query(env.DATABASE_URL, `alter database "${name}" set default_transaction_read_only = on`);
  const answer = await admin(t, ['doctor'], env);
  t.match(answer, { code: 0, stdout: /All is well/, stderr: /^The audit log has no entry .*read-only/ });
});
