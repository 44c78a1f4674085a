import t from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { type Address, parseDatabaseUrl } from '../address.ts';
import { openClient } from '../client.ts';
import { runMigrations } from './migrate.ts';

const tables = "select table_name as name from information_schema.tables where table_schema = 'public' order by 1";
const all = [
  ...[
    ...['admin_claims', 'admin_jobs'],
    'album_images',
    'albums',
    'api_tokens',
    'audit_log',
    'challenges',
    ...['collect_guests', 'collect_links', 'collected_images'],
    'devices',
    'email_changes',
    'ended_links',
    'held_names',
    'identities',
    'image_counts',
    'images',
    'installation',
    'invites',
    'leases',
    'orphaned_blobs',
    'passkeys',
    'password_resets',
  ],
  ...['rate_limits', 'recovery_codes', 'rendition_attempts', 'sessions', 'share_images', 'shares', 'stable_links'],
  ...['totp_secrets', 'uploads', 'users'],
];
const wipe = 'drop schema public cascade; drop schema drizzle cascade; create schema public';

async function empty(t: Tap): Promise<{ url: string; address: Address }> {
  const { url } = await createTestDatabase(t);
  await query(url, wipe);
  return { url, address: parseDatabaseUrl(url) };
}

const namesIn = async (url: string) => (await query(url, tables)).map(({ name }) => name);

t.test('concurrent migrations run once', async (t) => {
  const { url, address } = await empty(t);
  await Promise.all([1, 2, 3, 4].map(() => runMigrations(address)));
  t.same(await namesIn(url), all);
  const [{ journal, distinct } = {}] = await query(
    url,
    'select count(*)::int as journal, count(distinct hash)::int as "distinct" from drizzle.__drizzle_migrations',
  );
  t.equal(journal, distinct);
});

t.test('an interrupted migration leaves nothing, and the next one completes', async (t) => {
  const { url, address } = await empty(t);
  // Another session reserves the last table's name, so the migration waits with its first tables uncommitted.
  const blocker = openClient(address, { max: 1 });
  t.teardown(() => blocker.end({ timeout: 1 }));
  await blocker.unsafe('begin; create table users (id int)');
  const migration = runMigrations(address).catch((error: Error) => error);
  const waiting =
    "select pid from pg_stat_activity where application_name = 'gallery migration' and wait_event_type = 'Lock' and datname = current_database()";
  const pid = await eventually('the migration waits for the lock', async () => (await query(url, waiting))[0]?.pid);
  await query(url, `select pg_terminate_backend(${pid})`);
  t.match(await migration, Error);
  await blocker.unsafe('rollback');
  t.same(await namesIn(url), []);
  await runMigrations(address);
  t.same(await namesIn(url), all);
});

t.test('without the right to create the extension, the error shows the statement to run', async (t) => {
  const { url, address } = await empty(t);
  const role = `plain_${address.database.slice(-12)}`;
  await query(url, 'drop extension if exists pg_trgm');
  await query(url, `create role ${role} login password 'x'; grant create on database ${address.database} to ${role}`);
  t.teardown(() => query(url, `drop owned by ${role}; drop role ${role}`));
  const failure = await runMigrations({ ...address, user: role, password: 'x' }).catch((error: Error) => error);
  t.match(failure, { name: 'DatabaseStartError', message: /CREATE EXTENSION pg_trgm;/ });
});

t.test('without the right to create tables, the error shows the statement to run', async (t) => {
  const { url, address } = await empty(t);
  const role = `plain_${address.database.slice(-12)}`;
  await query(url, `create role ${role} login password 'x'`);
  t.teardown(() => query(url, `drop owned by ${role}; drop role ${role}`));
  const failure = await runMigrations({ ...address, user: role, password: 'x' }).catch((error: Error) => error);
  t.match(failure, { name: 'DatabaseStartError', message: /ALTER DATABASE/ });
});

type Tap = { teardown(handler: () => Promise<unknown>): void };
