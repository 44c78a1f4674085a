import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { query } from '../testing/postgres/embedded.ts';
import { parseDatabaseUrl } from './address.ts';
import { connect } from './connect.ts';
import { joinProcesses, UNOWNED } from './process-registry.ts';

t.setTimeout(120_000);

const log = { info: () => {}, error: () => {} };

async function enter(t: Test, url: string) {
  const { sql, close } = connect(url, { max: 2 });
  t.teardown(close);
  const processRegistry = await joinProcesses(parseDatabaseUrl(url), { sql, log });
  t.teardown(() => processRegistry.close());
  return processRegistry;
}

t.test('a process is registered as alive from its start to its end', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, other] = [await enter(t, url), await enter(t, url)];
  t.not(one.number, other.number);
  t.ok(one.number >= 2n ** 62n && one.number < 2n ** 63n);
  t.equal(await one.isAlive(one.number), true);
  t.equal(await one.isAlive(other.number), true);
  await other.close();
  await eventually('the closed process is no longer alive', async () => !(await one.isAlive(other.number)));
  t.equal(await one.isAlive(UNOWNED), false);
  t.equal(await one.isAlive(one.number - 1n), false, 'a number that no process ever had');
});

t.test('isAlive leaves no lock behind', async (t) => {
  const { url } = await createTestDatabase(t);
  const one = await enter(t, url);
  for (const number of [5n, 5n, 5n]) t.equal(await one.isAlive(number), false);
  // Of this database only: other tests hold locks on the same server.
  const locks = await query(
    url,
    `select count(*)::int as held from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
  );
  t.same(locks, [{ held: 1 }]);
});

t.test('a lost registry connection reconnects with the same number', async (t) => {
  const database = await createCabledDatabase(t);
  const one = await enter(t, database.url);
  const watcher = await enter(t, database.direct);
  const { number } = one;
  await database.pull();
  await eventually('the process is no longer alive', async () => !(await watcher.isAlive(number)));
  await database.plugIn();
  await eventually('the process is alive again', () => watcher.isAlive(number));
  t.equal(one.number, number);
});

t.test('a registry connection terminated by the server reconnects', async (t) => {
  const { url } = await createTestDatabase(t);
  const [one, watcher] = [await enter(t, url), await enter(t, url)];
  const pidOf = async () => {
    const [holder] = await query(
      url,
      `select pid from pg_locks where locktype = 'advisory' and granted and
        (classid::bigint << 32 | objid::bigint) = ${one.number}`,
    );
    return holder?.pid as number | undefined;
  };
  const before = await pidOf();
  t.ok(before);
  await query(url, `select pg_terminate_backend(${before})`);
  await eventually('another connection holds the lock', async () => ![undefined, before].includes(await pidOf()));
  t.equal(await watcher.isAlive(one.number), true);
});

t.test('a registry entry closes while the database is down', async (t) => {
  const database = await createCabledDatabase(t);
  const one = await enter(t, database.url);
  await database.pull();
  await t.resolves(one.close());
});
