import t from 'tap';
import { databaseUrl, parseDatabaseUrl } from './address.ts';

t.test('a URL names host, port, user, password and database', async (t) => {
  t.match(parseDatabaseUrl('postgres://ann:p%40ss@db.example:6543/pictures'), {
    host: 'db.example',
    port: 6543,
    user: 'ann',
    password: 'p@ss',
    database: 'pictures',
    ssl: false,
  });
});

t.test('a URL without host, user or database gets Postgres’ defaults', async (t) => {
  t.match(parseDatabaseUrl('postgresql://db/'), { host: 'db', port: 5432, user: 'postgres', database: 'postgres' });
  t.match(parseDatabaseUrl('postgres:///pictures'), { host: 'localhost', database: 'pictures' });
  t.equal(parseDatabaseUrl('postgres://ann@db').database, 'ann');
  t.equal(parseDatabaseUrl('postgres://ann@[::1]:5433/x').host, '::1');
});

t.test('a Unix socket’s folder can be a parameter or the percent-encoded host', async (t) => {
  t.match(parseDatabaseUrl('postgres://ann@/pictures?host=/var/run/postgresql'), {
    host: '/var/run/postgresql',
    user: 'ann',
    database: 'pictures',
  });
  t.equal(parseDatabaseUrl('postgres://ann@%2Fvar%2Frun%2Fpostgresql/pictures').host, '/var/run/postgresql');
  const address = { host: '/my "own" f,older', port: 5432, user: 'a:b', password: 'c@/d?', database: 'x y' };
  t.match(parseDatabaseUrl(databaseUrl(address)), address);
});

t.test('sslmode sets how strictly TLS is verified', async (t) => {
  t.equal(parseDatabaseUrl('postgres://db/x?sslmode=require').ssl, 'require');
  t.equal(parseDatabaseUrl('postgres://db/x?sslmode=verify-ca').ssl, 'verify-full');
  t.same(parseDatabaseUrl('postgres://db/x?application_name=album&channel_binding=require').parameters, {
    application_name: 'album',
  });
});

t.test('sslmode=require with the system’s root certificates verifies like verify-full', async (t) => {
  t.equal(parseDatabaseUrl('postgres://db/x?sslmode=require&sslrootcert=system').ssl, 'verify-full');
});

t.test('a URL without a password gets the given one, in any characters', async (t) => {
  const password = ' p@ss:/w#?r%d"\'$\\é';
  t.equal(parseDatabaseUrl('postgres://ann@db/x', { password }).password, password);
  t.equal(parseDatabaseUrl('postgres://ann:own@db/x', { password }).password, 'own');
});

t.test('a password that cuts the URL is refused, and no part of it is quoted', async (t) => {
  t.match(parseDatabaseUrl('postgres://localhost:5433'), { host: 'localhost', port: 5433 });
  t.match(parseDatabaseUrl('postgres://[::1]:5433?sslmode=disable'), { host: '::1', port: 5433 });
  t.throws(() => parseDatabaseUrl('postgres://gallery:1234'), { message: /^DATABASE_URL must have the form / });
  for (const password of [
    'p@ss/w#rd',
    '1234/secret',
    '1234?secret',
    '1234#secret',
    'sec/ret',
    's#ecret',
    's?ecret',
    '%zz',
  ]) {
    const url = `postgres://gallery:${password}@database:5432/gallery`;
    t.throws(() => parseDatabaseUrl(url), {
      message:
        /^DATABASE_URL must have the form postgres:\/\/user:password@host:5432\/database\. A password .* DATABASE_PASSWORD [^0-9]*$/,
    });
  }
});

t.test('the error for a malformed URL does not quote the URL', async (t) => {
  for (const url of [
    'mysql://ann:secret@db/x',
    'postgres://ann:secret@db:port/x',
    'secret',
    'postgres://a:%zzsecret@db/x',
  ]) {
    t.throws(() => parseDatabaseUrl(url), { message: /^DATABASE_URL must have the form ((?!secret).)*$/ });
  }
  for (const mode of ['verify-full', 'require'])
    t.throws(() => parseDatabaseUrl(`postgres://db/x?sslmode=${mode}&sslrootcert=/no/such`), { message: /ENOENT/ });
});
