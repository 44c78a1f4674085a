import t from 'tap';
import { createLossyDatabase } from '../../testing/postgres/lossy-database.ts';
import { openClient } from '../client.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ number: index + 1 }));

for (const [name, statement] of [
  ['an error in a later row', 'select 1 / (4 - number) as quotient from generate_series(1, 9) as number'],
  ['a timeout', 'select number, case when number > 3 then pg_sleep(60) end from generate_series(1, 9) as number'],
] as const) {
  t.test(`after ${name}, the next result has no holes`, async (t) => {
    const { address } = await createLossyDatabase(t);
    const sql = openClient(address, { max: 1, connection: { statement_timeout: 200 } });
    t.teardown(() => sql.end({ timeout: 5 }));
    const next = {
      template: () => sql`select number from generate_series(1, 5) as number`,
      text: () => sql.unsafe('select number from generate_series(1, 5) as number'),
      values: () => sql.unsafe('select number from generate_series(1, $1::int) as number', [5], { prepare: true }),
    };
    for (const [form, run] of Object.entries(next)) {
      const [failed, result] = await Promise.allSettled([sql.unsafe(statement), run()]);
      t.equal(failed.status, 'rejected');
      t.same(result.status === 'fulfilled' && [...result.value], numbers(5), form);
    }
  });
}

t.test('after a connection is lost within an answer, the next result has no holes', async (t) => {
  const { address, cutAfter } = await createLossyDatabase(t);
  const sql = openClient(address, { max: 1 });
  t.teardown(() => sql.end({ timeout: 5 }));
  await sql`select 1`;
  cutAfter(1000);
  await t.rejects(sql`select number from generate_series(1, 200) as number`, { code: 'CONNECTION_CLOSED' });
  t.same([...(await sql`select number from generate_series(1, 5) as number`)], numbers(5));
});
