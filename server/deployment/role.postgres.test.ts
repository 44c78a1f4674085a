/** Runs deploy/postgres, which sets up the app's role in a Postgres container, with psql on a real Postgres. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { databaseUrl } from '../database/address.ts';
import { roleStatement } from '../database/embedded/role-statement.ts';
import { openDatabase } from '../database/open.ts';
import { type Compose, readYaml } from '../testing/deployment.ts';
import { query, temporaryFolder } from '../testing/postgres/embedded.ts';
import {
  type SystemPostgres,
  startSystemPostgres,
  withoutSystemPostgres,
} from '../testing/postgres/system-postgres.ts';

t.setTimeout(120_000);

const password = 'LettersAndDigits0123456789';
const log = { info: () => {}, error: () => {} };
const urlOf = ({ port }: SystemPostgres, user: string) =>
  databaseUrl({ host: '127.0.0.1', port, user, password, database: 'gallery' });

/** Opens the database like the server, with migrations, and checks the role's rights. */
async function checkApp(t: Test, postgres: SystemPostgres): Promise<void> {
  const url = urlOf(postgres, 'gallery');
  const { close } = await openDatabase({ dataDir: '/nonexistent', databaseUrl: url, logger: log });
  await close();
  const rights = `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as any
    from pg_roles where rolname = current_user`;
  t.same(await query(url, rights), [{ any: false }]);
  const others = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where relowner <> 'gallery'::regrole and nspname !~ '^pg_|^information_schema$'`;
  t.same(await query(url, others), [], 'the role owns every table');
  await t.rejects(query(url, "copy (select 1) to program 'true'"), { code: '42501' });
  await t.rejects(query(url, "select pg_read_file('postgresql.conf')"), { code: '42501' });
  await t.rejects(query(urlOf(postgres, 'postgres'), 'select 1'), { code: '28P01' }, 'no superuser login over TCP');
}

t.test("a new container creates the app's role", { skip: withoutSystemPostgres }, async (t) => {
  const folder = temporaryFolder(t, 0o711);
  const postgres = await startSystemPostgres(t, folder, { user: 'postgres', password });
  postgres.psql('postgres', 'gallery', 'deploy/postgres/role.sql', { POSTGRES_PASSWORD: password });
  postgres.psql('postgres', 'gallery', 'deploy/postgres/superuser.sql');
  await checkApp(t, postgres);
});

t.test(
  'a container of an earlier version is converted and keeps its rows',
  { skip: withoutSystemPostgres },
  async (t) => {
    const folder = temporaryFolder(t, 0o711);
    const postgres = await startSystemPostgres(t, folder, { user: 'gallery', password });
    const url = urlOf(postgres, 'gallery');
    const before = await openDatabase({ dataDir: '/nonexistent', databaseUrl: url, logger: log });
    await before.close();
    await query(
      url,
      `insert into users (id, username, username_key, email, email_key, password_hash)
    values (gen_random_uuid(), 'early', 'early', 'early@example.com', 'early@example.com', 'x')`,
    );
    await query(
      url,
      `create schema jobs; create table jobs.job (id serial, number int); create type jobs.state as enum ('new');
    create statistics jobs.both on id, number from jobs.job`,
    );
    t.same(await query(url, 'select rolsuper from pg_roles where rolname = current_user'), [{ rolsuper: true }]);
    postgres.psql('gallery', 'gallery', 'deploy/postgres/convert.sql');
    await checkApp(t, postgres);
    t.same(await query(url, 'select username from users'), [{ username: 'early' }]);
    const others = "select stxname from pg_statistic_ext where stxowner <> 'gallery'::regrole";
    t.same(await query(url, others), [], 'the role owns the extended statistics');
    await query(url, 'drop table jobs.job; drop type jobs.state');
    const grant = join(folder, 'grant.sql');
    writeFileSync(grant, 'grant pg_execute_server_program to gallery;');
    postgres.psql('postgres', 'gallery', grant);
    postgres.psql('postgres', 'gallery', 'deploy/postgres/convert.sql');
    await checkApp(t, postgres);
  },
);

t.test('convert.sql grants the same rights as the embedded database', async (t) => {
  const changes = (text: string) => (/for statement in(.*)end loop;/s.exec(text)?.[1] ?? '').replace(/\s+/g, ' ');
  const rights = (text: string) => /alter role gallery (login.*inherit)/.exec(text)?.[1];
  const [compose, embedded] = [readFileSync('deploy/postgres/convert.sql', 'utf8'), roleStatement('', '')];
  t.match(changes(embedded), /alter table/);
  t.equal(changes(compose), changes(embedded));
  t.equal(rights(compose), rights(embedded));
});

t.test('the compose files create the role, separate from the superuser', async (t) => {
  for (const path of ['docker-compose.yml', 'docker-compose.scale.yml']) {
    const { database, app } = readYaml<Compose>(path).services;
    t.equal(database?.environment?.POSTGRES_USER, 'postgres', path);
    const mounted = (database?.volumes ?? []).filter((volume) => volume.includes('/docker-entrypoint-initdb.d/'));
    t.same(
      mounted.map((volume) => volume.split(':')[0]),
      ['./deploy/postgres/role.sql', './deploy/postgres/superuser.sql'],
      path,
    );
    for (const service of [database, app]) t.match(service, { pids_limit: Number, mem_limit: /g\}$/ }, path);
  }
  t.match(readYaml<Compose>('docker-compose.yml').services.app?.environment?.DATABASE_URL, /^postgres:\/\/gallery:/);
});
