import t, { type Test } from 'tap';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { connect, isUnavailable } from '../connect.ts';
import { askUnder, prepared } from './prepared.ts';

async function databaseOf(t: Test) {
  const { db, sql, close } = connect((await createTestDatabase(t)).url, { max: 1 });
  t.teardown(close);
  const names = async () =>
    (
      await sql.unsafe('select name from pg_prepared_statements where parameter_types <> $1', ['{}'], {
        prepare: false,
      })
    ).length;
  return { db, sql, names };
}

const text = 'select $1::int + 1 as sum';

t.test('a repeated statement reuses its prepared name', async (t) => {
  const { db, names } = await databaseOf(t);
  const before = await names();
  for (const value of [1, 2, 3]) t.same(await prepared(db, text, [value]), [{ sum: value + 1 }]);
  t.equal((await names()) - before, 1);
});

t.test('a statement that times out fails as unavailable, and its connection stays usable', async (t) => {
  const { db } = await databaseOf(t);
  const slow = askUnder(db, { statement_timeout: '50' }, 'select pg_sleep($1)', [60]);
  const error = await slow.catch((failure: unknown) => failure);
  t.ok(isUnavailable(error));
  t.same(
    await prepared(db, `select current_setting($1) as text`, ['statement_timeout']),
    [{ text: '0' }],
    'the setting ended with the statement',
  );
});
