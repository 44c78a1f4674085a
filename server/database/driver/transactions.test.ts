import { setImmediate as turn } from 'node:timers/promises';
import type postgres from 'postgres';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { createLossyDatabase, withoutOpenssl } from '../../testing/postgres/lossy-database.ts';
import { openClient } from '../client.ts';
import { isUnavailable } from '../connect.ts';

const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

const turns = async (count: number) => {
  for (let done = 0; done < count; done += 1) await turn();
};

type Transaction = postgres.TransactionSql;

/** What a transaction does after the loss; each may write to its connection. */
const continuations: Record<string, (tx: Transaction) => Promise<unknown>> = {
  'fails, which rolls back': async () => {
    throw new Error('the work fails');
  },
  'ends, which commits': async () => undefined,
  'runs a statement': (tx) => tx.unsafe('select 1'),
  'runs a statement with values': (tx) => tx`select ${1}::int`,
  'opens a savepoint': (tx) => tx.savepoint((inner) => inner.unsafe('select 1')),
};

for (const tls of [false, true]) {
  const oneConnection = async (t: Test) => {
    const database = await createLossyDatabase(t, { tls });
    const sql = openClient(database.address, { max: 1 });
    t.teardown(() => sql.end({ timeout: 5 }));
    const lose = async (tx: Transaction) => {
      database.sent();
      const lost = failureOf(tx`select pg_sleep(60)`);
      await eventually('the statement reaches the server', () => database.sent().includes('pg_sleep'));
      database.cut();
      t.ok(isUnavailable(await lost));
    };
    return { database, sql, lose };
  };
  const on = tls ? 'over TLS, ' : '';
  const options = { skip: tls && withoutOpenssl };

  for (const [name, proceed] of Object.entries(continuations)) {
    t.test(`${on}a transaction that ${name} after its loss fails alone`, options, async (t) => {
      const { sql, lose } = await oneConnection(t);
      for (let count = 0; count < 5; count += 1) {
        const error = await failureOf(
          sql.begin(async (tx) => {
            await lose(tx);
            await turns(count);
            await proceed(tx);
          }),
        );
        t.ok(isUnavailable(error), `${count} turns after the loss`);
        const begun = performance.now();
        t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
        t.ok(performance.now() - begun < 3000, 'the next query does not wait for a timeout');
      }
    });
  }

  t.test(`${on}a savepoint that fails after its loss fails the transaction`, options, async (t) => {
    const { sql, lose } = await oneConnection(t);
    for (let count = 0; count < 5; count += 1) {
      const inSavepoint = async (inner: Transaction) => {
        await lose(inner);
        await turns(count);
        throw new Error('the work fails');
      };
      t.ok(isUnavailable(await failureOf(sql.begin((tx) => tx.savepoint(inSavepoint)))), `${count} turns`);
      t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
    }
  });

  t.test(`${on}a statement prepared before the loss runs in no other transaction`, options, async (t) => {
    const { sql, lose } = await oneConnection(t);
    await sql`create table written (number int)`;
    let late: PromiseLike<unknown> | undefined;
    const first = sql.begin(async (tx) => {
      // The driver sends it when it is first awaited.
      late = tx.unsafe('insert into written values (1)');
      await lose(tx);
    });
    t.ok(isUnavailable(await failureOf(first)));
    await sql.begin(async (tx) => {
      await tx`insert into written values (2)`;
      t.ok(isUnavailable(await failureOf(late ?? Promise.resolve())));
    });
    t.same([...(await sql`select number from written`)], [{ number: 2 }]);
  });
}

t.test('savepoints roll back alone', async (t) => {
  const { address } = await createLossyDatabase(t);
  const sql = openClient(address, { max: 1 });
  t.teardown(() => sql.end({ timeout: 5 }));
  const rows = await sql.begin(async (tx) => {
    const failed = await failureOf(tx.savepoint((inner) => inner`select * from no_such_table`));
    t.match(failed, { code: '42P01' });
    const named = await tx.savepoint('named', (inner) => inner`select 2 as two`);
    t.same([...named], [{ two: 2 }]);
    return tx`select 1 as one`;
  });
  t.same([...rows], [{ one: 1 }]);
});
