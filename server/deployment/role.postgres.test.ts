/** Runs the statements that set up the app's role in a Postgres container, with psql on a real Postgres. */
import { readFileSync } from 'node:fs';
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
const urlOf = ({ port }: SystemPostgres, user: string, given = password) =>
  databaseUrl({ host: '127.0.0.1', port, user, password: given, database: 'gallery' });

/** Opens the database like the server, with migrations, and checks the role's rights. */
async function checkApp(t: Test, postgres: SystemPostgres, given = password): Promise<void> {
  const url = urlOf(postgres, 'gallery', given.normalize('NFKC'));
  const withoutPassword = url.replace(/:[^:@]*@/, '@');
  const { close } = await openDatabase({
    dataDir: '/nonexistent',
    databaseUrl: withoutPassword,
    databasePassword: given,
    logger: log,
  });
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

const { database } = readYaml<Compose>('docker-compose.yml').services;
/** What the container runs at each start. */
const [, atStart = ''] = /<<'SQL'\n(.*)^SQL$/ms.exec(database?.entrypoint?.at(-1) ?? '') ?? [];
const convert = readFileSync('deploy/postgres/convert.sql', 'utf8');

t.test("each start of a container sets the app's role and its password", { skip: withoutSystemPostgres }, async (t) => {
  const folder = temporaryFolder(t, 0o711);
  const postgres = await startSystemPostgres(t, folder, { user: 'postgres', password });
  postgres.psql('postgres', 'postgres', 'drop database gallery');
  // The second one has every character that a shell, a URL or SQL could take apart, and accents in two parts.
  for (const password of ['first', ` p@ss:/w#?r%d'"$\\ ${'Ünï'.normalize('NFD')}£ `]) {
    postgres.psql('postgres', 'postgres', atStart, { POSTGRES_PASSWORD: password });
    await checkApp(t, postgres, password);
  }
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
    postgres.psql('gallery', 'gallery', convert);
    await checkApp(t, postgres);
    t.same(await query(url, 'select username from users'), [{ username: 'early' }]);
    const others = "select stxname from pg_statistic_ext where stxowner <> 'gallery'::regrole";
    t.same(await query(url, others), [], 'the role owns the extended statistics');
    await query(url, 'drop table jobs.job; drop type jobs.state');
    postgres.psql('postgres', 'gallery', 'grant pg_execute_server_program to gallery');
    postgres.psql('postgres', 'gallery', convert);
    await checkApp(t, postgres);
  },
);

t.test("role.sql creates the app's role in another Postgres", { skip: withoutSystemPostgres }, async (t) => {
  const postgres = await startSystemPostgres(t, temporaryFolder(t, 0o711), { user: 'owner', password });
  const role = readFileSync('deploy/postgres/role.sql', 'utf8');
  postgres.psql('owner', 'gallery', role, { POSTGRES_PASSWORD: password });
  await checkApp(t, postgres);
});

t.test('every way to set up the role grants the same rights', async (t) => {
  const changes = (text: string) => (/for statement in(.*)end loop;/s.exec(text)?.[1] ?? '').replace(/\s+/g, ' ');
  const rights = (text: string) => /role gallery (login nosuperuser.*nobypassrls)/.exec(text)?.[1];
  const embedded = roleStatement('', '');
  t.match(changes(embedded), /alter table/);
  t.equal(changes(convert), changes(embedded));
  t.match(rights(embedded), /nosuperuser/);
  for (const text of [convert, atStart, readFileSync('deploy/postgres/role.sql', 'utf8')]) {
    t.equal(rights(text), rights(embedded));
  }
});

t.test('both compose files set up the database in the same way', async (t) => {
  const { database: scale } = readYaml<Compose>('docker-compose.scale.yml').services;
  t.match(database?.entrypoint, ['bash', '-c', /exec docker-entrypoint\.sh postgres -c hba_file=/]);
  t.same(scale?.entrypoint, database?.entrypoint);
  t.same(scale?.healthcheck?.test, database?.healthcheck?.test);
  for (const service of [scale, database]) {
    t.match(service?.environment, { POSTGRES_USER: 'postgres', POSTGRES_INITDB_ARGS: '--data-checksums' });
  }
});
