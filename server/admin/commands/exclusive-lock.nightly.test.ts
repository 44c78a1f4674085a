import t from 'tap';
import { parseDatabaseUrl } from '../../database/address.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query, temporaryFolder } from '../../testing/postgres/embedded.ts';
import { admin } from '../../testing/processes.ts';
import { withExclusiveLock } from './exclusive-lock.ts';

t.setTimeout(120_000);

t.test('only one command that rewrites stored objects runs at a time', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder(t), ENCRYPTION_KEY: 'ab'.repeat(32) };
  const bucket = {
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'a-key',
    S3_SECRET_ACCESS_KEY: 'a-secret',
    S3_REGION: 'us-east-1',
  };
  await withExclusiveLock(parseDatabaseUrl(url), async () => {
    for (const args of [['encrypt'], ['rotate-key'], ['storage', 'copy', '--from', 'disk', '--to', 's3']]) {
      t.match(await admin(t, args, { ...env, ...bucket }), {
        code: 1,
        stdout: '',
        stderr: /^Another "encrypt", "rotate-key" or "storage copy" is at the stored files: run this again/,
      });
    }
    t.match(await admin(t, ['encrypt', '--check'], env), { code: 0 }, 'a command that only reads is not blocked');
  });
  t.match(await admin(t, ['encrypt'], env), { code: 0, stdout: '0 files sealed, 0 already were.\n' });
});

t.test('a command ends as soon as its exclusive lock is lost', async (t) => {
  const { url } = await createTestDatabase(t);
  const work = withExclusiveLock(parseDatabaseUrl(url), async () => {
    await query(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'gallery command' and datname = current_database()`,
    );
    return new Promise(() => {});
  });
  await t.rejects(work, { message: /^The connection to the database was lost, .* it continues where it stopped\.$/ });
});
