import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { createLossyDatabase } from '../../testing/postgres/lossy-database.ts';
import { openClient } from '../client.ts';
import type { BeginQuery, QueryState } from './query-observer.ts';

type Observed = { text: string; state: QueryState; ends: unknown[] };

/** A client with one connection, and all statements that it has begun. */
async function observed(t: Test) {
  const database = await createLossyDatabase(t);
  const statements: Observed[] = [];
  const beginQuery: BeginQuery = (text, state) => {
    const statement: Observed = { text, state, ends: [] };
    statements.push(statement);
    return (error) => statement.ends.push(error);
  };
  const sql = openClient(database.address, { max: 1 }, { beginQuery });
  t.teardown(() => sql.end({ timeout: 5 }));
  return { database, sql, statements };
}

t.test('a statement is observed from its dispatch to its end', async (t) => {
  const { sql, statements } = await observed(t);
  const unsent = sql.unsafe('select 1');
  t.same(statements, [], 'a statement that is not awaited is not sent');
  await unsent;
  await sql.unsafe('select * from no_such_table').catch(() => undefined);
  t.match(statements, [
    { text: 'select 1', ends: [undefined] },
    { text: 'select * from no_such_table', ends: [{ code: '42P01' }] },
  ]);
  t.equal(statements.length, 2);
});

t.test('a statement that waits for a connection is not active', async (t) => {
  const { database, sql, statements } = await observed(t);
  const running = sql.unsafe('select pg_sleep(0.2)');
  const waiting = sql.unsafe('select $1::int', [1], { prepare: true });
  const both = Promise.all([running, waiting]);
  await eventually('the first statement runs', () => database.sent().includes('pg_sleep'));
  t.same(
    statements.map(({ state }) => state.active),
    [true, false],
  );
  await both;
});

t.test('the statements of a transaction and its commit are observed', async (t) => {
  const { sql, statements } = await observed(t);
  await sql.begin((tx) => tx.unsafe('select 1'));
  t.same(
    statements.map(({ text, ends }) => [text.trim(), ends]),
    ['begin', 'select 1', 'commit'].map((text) => [text, [undefined]]),
  );
});

t.test('a statement that is lost with its connection ends once', async (t) => {
  const { database, sql, statements } = await observed(t);
  const lost = sql.unsafe('select pg_sleep(60)').catch((error: unknown) => error);
  await eventually('the statement reaches the server', () => database.sent().includes('pg_sleep'));
  database.cut();
  t.match(await lost, { code: 'CONNECTION_CLOSED' });
  await sql.unsafe('select 1');
  t.match(statements[0], { text: 'select pg_sleep(60)' });
  t.equal(statements[0]?.ends.length, 1);
});
