import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { postmasterPid, query, startOwner, temporaryFolder } from '../../testing/postgres/embedded.ts';
import { startTrustingCluster } from '../../testing/postgres/trusting-cluster.ts';
import { type Address, databaseUrl } from '../address.ts';
import { runMigrations } from '../migrations/migrate.ts';
import { openDatabase } from '../open.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import { findRunningPostgres } from './find-running.ts';

const log = { info: () => {}, error: () => {} };
t.setTimeout(120_000);

async function start(t: Test, dataDir: string): Promise<EmbeddedPostgres & { url: string }> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  t.teardown(server.stop);
  return { ...server, url: databaseUrl(server.connection) };
}

/** Creates a cluster of the previous version: without passwords, everything owned by the superuser. */
async function earlierVersion(t: Test, folder: string): Promise<void> {
  const cluster = await startTrustingCluster(t, folder);
  await runMigrations(cluster.address);
  const url = databaseUrl(cluster.address);
  await query(
    url,
    `insert into users (id, username, username_key, email, email_key, password_hash)
    values (gen_random_uuid(), 'early', 'early', 'early@example.com', 'early@example.com', 'x')`,
  );
  await query(
    url,
    `create schema gallery_jobs; create type gallery_jobs.state as enum ('new', 'done');
    create domain gallery_jobs.short as text check (length(value) < 9);
    create table gallery_jobs.job (id serial, number int generated always as identity, state gallery_jobs.state)
      partition by list (state);
    create table gallery_jobs.fresh partition of gallery_jobs.job for values in ('new');
    create sequence gallery_jobs.alone; create view gallery_jobs.seen as select 1 as one;
    create function gallery_jobs.make() returns int language sql as 'select 1';
    create statistics gallery_jobs.both on id, number from gallery_jobs.job`,
  );
  await cluster.stop();
}

const NOT_OWNED = `
  select 'schema ' || nspname as object from pg_namespace
    where nspowner = 'postgres'::regrole and nspname !~ '^pg_|^information_schema$'
  union all select 'database' from pg_database where datname = current_database() and datdba <> 'gallery'::regrole
  union all select concat(c.relkind, ' ', c.oid::regclass) from pg_class c join pg_namespace n on n.oid = relnamespace
    where relowner <> 'gallery'::regrole and nspname !~ '^pg_|^information_schema$'
  union all select 'type ' || t.oid::regtype from pg_type t join pg_namespace n on n.oid = typnamespace
    where typowner <> 'gallery'::regrole and nspname !~ '^pg_|^information_schema$'
    and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = t.oid and deptype = 'e')
  union all select 'routine ' || p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = pronamespace
    where proowner <> 'gallery'::regrole and nspname !~ '^pg_|^information_schema$'
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
  union all select 'statistics ' || stxname from pg_statistic_ext where stxowner <> 'gallery'::regrole`;

const refusal = (url: string, statement: string) =>
  query(url, statement).then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

async function checkRole(t: Test, folder: string, { connection, url }: { connection: Address; url: string }) {
  t.same(
    await query(
      url,
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
      (select count(*)::int from pg_auth_members where member = r.oid) as groups from pg_roles r where rolname = current_user`,
    ),
    [
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        groups: 0,
      },
    ],
  );
  for (const statement of [
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/tmp/anything'",
    "select pg_read_file('postgresql.conf')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    'create role another',
    'create database another',
    "alter system set archive_command = 'true'",
    "set session_replication_role = 'replica'",
    'alter role gallery superuser',
    'select rolpassword from pg_authid',
    "create function hole() returns int language c as 'libc', 'getpid'",
  ]) {
    t.equal(await refusal(url, statement), '42501', statement);
  }
  const login = (changes: Partial<Address>) => refusal(databaseUrl({ ...connection, ...changes }), 'select 1');
  t.equal(await login({ password: '' }), '28P01', 'no password');
  t.equal(await login({ password: 'wrong' }), '28P01', 'a wrong password');
  for (const password of ['', connection.password ?? '']) {
    t.equal(await login({ user: 'postgres', password }), '28000', 'the superuser cannot log in');
  }
  const password = join(folder, 'password');
  t.equal(statSync(password).mode & 0o777, 0o600);
  const pid = postmasterPid(folder);
  const args = process.platform === 'linux' ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
  const environment = process.platform === 'linux' ? readFileSync(`/proc/${pid}/environ`, 'utf8') : '';
  const visible = args + environment + readFileSync(join(folder, 'postgres.log'), 'utf8');
  t.notOk(visible.includes(connection.password ?? 'none'), 'the password is in no argument, environment or log');
}

t.test('a new database admits one role, which owns its tables and nothing else', async (t) => {
  const dataDir = temporaryFolder(t);
  const opened = await openDatabase({ dataDir, logger: log });
  t.teardown(opened.close);
  const folder = join(dataDir, 'postgres');
  const connection = await findRunningPostgres(folder);
  if (!connection) return t.fail('it is not running');
  const url = databaseUrl(connection);
  t.same(await query(url, NOT_OWNED), []);
  await checkRole(t, folder, { connection, url });
});

t.test('a database of the previous version is converted with all its data', async (t) => {
  const folder = temporaryFolder(t);
  await earlierVersion(t, folder);
  const server = await start(t, folder);
  t.same(await query(server.url, 'select username from users'), [{ username: 'early' }]);
  t.same(await query(server.url, NOT_OWNED), []);
  await checkRole(t, folder, server);
  await query(
    server.url,
    "alter table users add column later text; insert into gallery_jobs.job (state) values ('new')",
  );
  await server.stop();
  const again = await start(t, folder);
  t.equal(again.connection.password, server.connection.password, 'the password is generated once');
  t.same(await query(again.url, 'select later from users'), [{ later: null }]);
});

t.test('the next start finishes a killed conversion', async (t) => {
  const folder = temporaryFolder(t);
  await earlierVersion(t, folder);
  const rules = join(folder, 'cluster', 'pg_hba.conf');
  const before = readFileSync(rules, 'utf8');
  const owner = startOwner(t, folder);
  await eventually('the password is written', () => existsSync(join(folder, 'password')));
  await owner.kill();
  t.equal(readFileSync(rules, 'utf8'), before, 'it was killed in time');
  const server = await start(t, folder);
  t.same(await query(server.url, NOT_OWNED), []);
  await server.stop();
  // As if killed after the statement, before the rules were written.
  writeFileSync(rules, before);
  const again = await start(t, folder);
  t.same(await query(again.url, 'select username from users'), [{ username: 'early' }]);
  t.equal(await refusal(databaseUrl({ ...again.connection, password: '' }), 'select 1'), '28P01');
});

t.test('a Postgres orphaned by a killed server of the previous version is converted', async (t) => {
  const folder = temporaryFolder(t);
  await earlierVersion(t, folder);
  const cluster = await startTrustingCluster(t, folder);
  const left = postmasterPid(folder);
  const server = await start(t, folder);
  t.not(postmasterPid(folder), left);
  t.same(await query(server.url, 'select username from users'), [{ username: 'early' }]);
  t.equal(await refusal(databaseUrl(cluster.address), 'select 1'), '28000');
});

t.test('a lost password is replaced by a new one', async (t) => {
  const folder = temporaryFolder(t);
  const first = await start(t, folder);
  await query(first.url, 'create table stored as select 5 as number');
  await first.stop();
  rmSync(join(folder, 'password'));
  const second = await start(t, folder);
  t.not(second.connection.password, first.connection.password);
  t.same(await query(second.url, 'select number from stored'), [{ number: 5 }]);
});

t.test('a command run during a server of the previous version asks for its restart', async (t) => {
  const folder = temporaryFolder(t);
  const { stop } = await start(t, folder);
  rmSync(join(folder, 'password'));
  await t.rejects(findRunningPostgres(folder), { message: /earlier version.*restart it/ });
  await stop();
});
