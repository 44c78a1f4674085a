import { sql as text } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { connect } from '../connect.ts';

async function databaseOf(t: Test, options = {}) {
  const { db, sql, close } = connect((await createTestDatabase(t)).url, { max: 1, ...options });
  t.teardown(close);
  const names = async () =>
    (await sql.unsafe('select statement from pg_prepared_statements'))
      .map(({ statement }) => statement)
      .filter((statement) => statement !== 'commit'); // the driver's own
  const add = async (added: number, value: number, on: Pick<typeof db, 'execute'> = db) => {
    const [row] = await on.execute(text`select ${value}::int + ${text.raw(String(added))} as sum`);
    return row?.sum;
  };
  return { db, sql, names, add };
}

t.test('a statement that repeats gets one name, in transactions too, and its values stay its own', async (t) => {
  const { db, names, add } = await databaseOf(t);
  for (const value of [1, 2, 3, 4]) t.equal(await add(1, value), value + 1);
  t.same(await names(), [], 'not yet');
  t.equal(await db.transaction((tx) => add(1, 5, tx)), 6);
  t.same(await names(), ['select $1::int + 1 as sum']);
  for (const value of [6, 7]) t.equal(await add(1, value), value + 1);
  t.equal((await names()).length, 1);
});

t.test('at most a hundred statements get names', async (t) => {
  const { names, add } = await databaseOf(t);
  for (let added = 0; added < 110; added += 1) for (let time = 0; time < 6; time += 1) await add(added, time);
  t.equal((await names()).length, 100);
});

t.test('behind a pooler, no statement gets a name', async (t) => {
  const { names, add } = await databaseOf(t, { pooled: true });
  for (let time = 0; time < 10; time += 1) await add(1, time);
  t.same(await names(), []);
});

t.test('a pooler that switches sessions ends the use of names', async (t) => {
  const { sql, names, add } = await databaseOf(t);
  for (let time = 0; time < 6; time += 1) await add(1, time);
  await sql.unsafe('deallocate all');
  t.equal(await add(1, 2), 3, 'the failed statement is retried');
  await sql.unsafe('deallocate all');
  for (let time = 0; time < 10; time += 1) t.equal(await add(1, time), time + 1);
  t.same(await names(), []);
});
