import { once } from 'node:events';
import { type AddressInfo, createServer, connect as openSocket } from 'node:net';
import { sql as text } from 'drizzle-orm';
import t from 'tap';
import { users } from '../../drizzle/schema.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { postmasterPid, query, temporaryFolder } from '../testing/postgres/embedded.ts';
import { type Address, databaseUrl, parseDatabaseUrl } from './address.ts';
import { checkServer, connect, isUnavailable, uniqueViolation } from './connect.ts';
import { startEmbeddedPostgres } from './embedded/embedded.ts';

t.setTimeout(90_000);

const log = { info: () => {}, error: () => {} };
const failureOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

async function refusalOf(t: Tap, change: Partial<Address>): Promise<string> {
  const given = parseDatabaseUrl((await createTestDatabase(t)).url);
  const address = { password: 'hidden', ...given, isSecret: false, ...change };
  const { sql, close } = connect(address);
  t.teardown(close);
  return String(await failureOf(checkServer(sql, address)));
}

t.test('a reachable server of a supported version passes the check', async (t) => {
  const { url } = await createTestDatabase(t);
  const { sql, close } = connect(url);
  t.teardown(close);
  await t.resolves(checkServer(sql, parseDatabaseUrl(url)));
});

t.test('a new connection sends no queries to the catalogue', async (t) => {
  const address = parseDatabaseUrl((await createTestDatabase(t)).url);
  const target = address.host.startsWith('/')
    ? { path: `${address.host}/.s.PGSQL.${address.port}` }
    : { host: address.host, port: address.port };
  const asked: string[] = [];
  const proxy = createServer((client) => {
    const server = openSocket(target as { path: string });
    client.on('data', (chunk) => asked.push(chunk.toString('latin1'))).pipe(server);
    server.pipe(client);
    for (const socket of [client, server]) socket.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  const { sql, close } = connect({ ...address, host: '127.0.0.1', port: (proxy.address() as AddressInfo).port });
  t.teardown(close);
  await sql`select 1`;
  t.match(asked.join(''), /select 1/);
  t.notMatch(asked.join(''), /pg_catalog/);
});

t.test('a database that cannot be used is reported in one line without the password', async (t) => {
  const closed = await refusalOf(t, { host: '127.0.0.1', port: 1 });
  t.match(closed, /DATABASE_URL: the database at 127.0.0.1:1 does not answer \(connect ECONNREFUSED/);
  const missing = await refusalOf(t, { database: 'no_such_database' });
  t.match(missing, /DATABASE_URL: .* has no database "no_such_database"/);
  const stranger = await refusalOf(t, { user: 'nobody_here' });
  t.match(stranger, /DATABASE_URL: .* refuses the user "nobody_here".* the role is missing/);
  // As Node reads DATABASE_URL=postgres://gallery:hid@hidden#…@db:5432/gallery from .env.
  const cut = await refusalOf(t, parseDatabaseUrl('postgres://gallery:hid@hidden'));
  t.match(cut, /DATABASE_URL: the database does not answer \(\w+\)\. .* DATABASE_PASSWORD\.$/);
  for (const line of [closed, missing, stranger, cut]) {
    t.notMatch(line, 'hidden');
    t.notMatch(line, '\n');
  }
});

t.test('a violated unique constraint is named', async (t) => {
  const { db, close } = connect((await createTestDatabase(t)).url);
  t.teardown(close);
  const user = { username: 'Ann', usernameKey: 'ann', email: 'a@b.c', emailKey: 'a@b.c', passwordHash: 'x' };
  await db.insert(users).values({ id: crypto.randomUUID(), ...user });
  const error = await failureOf(
    db.insert(users).values({ id: crypto.randomUUID(), ...user, email: 'x', emailKey: 'x' }),
  );
  t.equal(uniqueViolation(error), 'users_username_key_unique');
  t.notOk(isUnavailable(error));
});

t.test('an invalid query does not count as an unavailable database', async (t) => {
  const { db, close } = connect((await createTestDatabase(t)).url);
  t.teardown(close);
  const error = await failureOf(db.execute(text`select * from no_such_table`));
  t.ok(error);
  t.notOk(isUnavailable(error));
  t.notOk(isUnavailable(Object.assign(new Error('other socket'), { code: 'ECONNREFUSED', syscall: 'connect' })));
  t.equal(uniqueViolation(error), undefined);
});

t.test('a terminated session and a closed pool are reported as unavailable', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, close } = connect(url);
  const sleeping = failureOf(db.execute(text`select pg_sleep(60), 'cut me'`));
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where query like '%cut me%' and pid <> pg_backend_pid()";
  await eventually('the session is cut', async () => (await query(url, cut)).length > 0);
  t.ok(isUnavailable(await sleeping));
  await close();
  t.ok(isUnavailable(await failureOf(db.execute(text`select 1`))));
  t.ok(isUnavailable(await failureOf(db.transaction(async () => {}))));
});

t.test('queries fail as unavailable while Postgres is down and work again when it is back', async (t) => {
  const folder = temporaryFolder(t);
  const first = await startEmbeddedPostgres({ dataDir: folder, log });
  const { db, sql, close } = connect(first.connection);
  t.teardown(close);
  await sql`select 1`;
  await first.stop();
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    t.ok(isUnavailable(await failureOf(db.select().from(users))));
    t.ok(isUnavailable(await failureOf(db.transaction((tx) => tx.execute(text`select 1`)))));
    t.ok(performance.now() - begun < 4000, 'at once');
  }
  const second = await startEmbeddedPostgres({ dataDir: folder, log });
  t.teardown(second.stop);
  const answers = await Promise.all(Array.from({ length: 30 }, () => failureOf(sql`select 1`)));
  t.same(answers.filter(Boolean), [], 'every connection of the pool works again');
});

t.test('a session terminated in a transaction fails only its own queries, and the pool recovers', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, close } = connect(url, { max: 2 });
  t.teardown(close);
  for (let round = 0; round < 10; round++) {
    const name = `cut ${round}`;
    const sleeping = failureOf(db.transaction((tx) => tx.execute(text`select pg_sleep(60), ${text.raw(`'${name}'`)}`)));
    const others = failureOf(Promise.all(Array.from({ length: 5 }, () => db.select().from(users))));
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where query like '%${name}''%' and pid <> pg_backend_pid()`;
    await eventually('the session is cut', async () => (await query(url, cut)).length > 0);
    t.ok(isUnavailable(await sleeping));
    t.equal(await others, undefined, 'the other queries');
    const after = await Promise.all(Array.from({ length: 6 }, () => failureOf(db.select().from(users))));
    t.same(after.filter(Boolean), [], 'later queries');
  }
  t.same(await db.select().from(users), []);
});

t.test('a session terminated between a transaction’s statements fails only that transaction', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, close } = connect(url, { max: 2 });
  t.teardown(close);
  const cut = async (tx: Pick<typeof db, 'execute'>) => {
    const [row] = await tx.execute(text`select pg_backend_pid() as pid`);
    const gone = async () => (await query(url, `select 1 from pg_stat_activity where pid = ${row?.pid}`)).length === 0;
    await query(url, `select pg_terminate_backend(${row?.pid})`);
    await eventually('the session has ended', gone);
  };
  for (const goOn of [false, true]) {
    let after: unknown;
    let ended = () => {};
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const error = await failureOf(
      db.transaction(async (tx) => {
        await cut(tx);
        if (goOn) after = await failureOf(tx.execute(text`select 1`));
        ended();
        throw new Error('the work fails too');
      }),
    );
    t.ok(isUnavailable(error));
    await over;
    if (goOn) t.ok(isUnavailable(after), 'later statements of the transaction fail');
  }
  const rows = await db.transaction(async (tx) => {
    await failureOf(tx.transaction((inner) => inner.execute(text`select * from no_such_table`)));
    return tx.execute(text`select 1 as one`);
  });
  t.match(rows, [{ one: 1 }], 'savepoints still work');
});

t.test('a query to a frozen Postgres times out', async (t) => {
  const folder = temporaryFolder(t);
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: folder, log });
  t.teardown(stop);
  const { db, sql, close } = connect(connection, { max: 1, responseTimeout: 300 });
  t.teardown(close);
  const [backend] = await sql`select pg_backend_pid() as pid`;
  process.kill(backend?.pid, 'SIGSTOP');
  const error = await failureOf(db.execute(text`select 1`));
  t.ok(isUnavailable(error));
  process.kill(backend?.pid, 'SIGCONT');
  t.equal(await failureOf(db.execute(text`select 1`)), undefined);
  t.ok(process.kill(postmasterPid(folder), 0));
});

t.test('a server that accepts connections but never responds is unavailable', { timeout: 30_000 }, async (t) => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => mute.once('listening', resolve));
  t.teardown(() => mute.close());
  const port = (mute.address() as { port: number }).port;
  const { db, close } = connect(databaseUrl({ host: '127.0.0.1', port, user: 'x', database: 'x' }), {
    responseTimeout: 200,
  });
  t.teardown(close);
  t.ok(isUnavailable(await failureOf(db.execute(text`select 1`))));
});

type Tap = { teardown(handler: () => Promise<void>): void };
