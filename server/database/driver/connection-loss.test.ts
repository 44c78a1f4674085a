import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { createLossyDatabase, withoutOpenssl } from '../../testing/postgres/lossy-database.ts';
import { openClient } from '../client.ts';
import { isUnavailable } from '../connect.ts';

const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

const startingUp = Buffer.from('E\0\0\0\0SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
startingUp.writeUInt32BE(startingUp.length - 1, 1);

for (const tls of [false, true]) {
  /** A client with one connection. */
  const oneConnection = async (t: Test, options = {}) => {
    const database = await createLossyDatabase(t, { tls });
    const sql = openClient(database.address, { max: 1, ...options });
    t.teardown(() => sql.end({ timeout: 5 }));
    return {
      database,
      sql,
      /** @returns the error of a query on the lost connection */
      async lose(): Promise<unknown> {
        database.sent();
        const lost = failureOf(sql`select pg_sleep(60)`);
        await eventually('the query reaches the server', () => database.sent().includes('pg_sleep'));
        database.cut();
        return lost;
      },
    };
  };
  const on = tls ? 'over TLS, ' : '';
  const options = { skip: tls && withoutOpenssl };

  t.test(`${on}a query made while a loss is reported runs on another connection`, options, async (t) => {
    const { sql, lose } = await oneConnection(t);
    const queries = { template: () => sql`select 1 as one`, text: () => sql.unsafe('select 1 as one') };
    for (const [name, run] of Object.entries(queries)) {
      for (const turns of [0, 1, 2, 3]) {
        t.match(await lose(), { code: 'CONNECTION_CLOSED' });
        for (let count = 0; count < turns; count += 1) await turn();
        t.same([...(await run())], [{ one: 1 }], `${name}, after ${turns} turns`);
      }
    }
  });

  t.test(`${on}a query made when an idle connection is lost does not wait for a timeout`, options, async (t) => {
    // Without the workaround a query ends with this timeout, which is later than the test's.
    const { database, sql } = await oneConnection(t, { connect_timeout: 600 });
    await sql`select 1`;
    for (let round = 0; round < 18; round += 1) {
      database.closeAfterAnswer();
      await sql.unsafe('select 1');
      for (let count = 0; count < round % 6; count += 1) await turn();
      const error = await failureOf(sql.unsafe('select 1'));
      t.ok(error === undefined || isUnavailable(error));
      t.same([...(await sql.unsafe('select 1 as one'))], [{ one: 1 }], `${round % 6} turns after the answer`);
    }
  });

  t.test(`${on}the startup error of a server fails no later query`, options, async (t) => {
    const { database, sql, lose } = await oneConnection(t);
    await lose();
    database.answerWith(startingUp);
    const refused = await failureOf(sql`select 1`);
    t.match(refused, { code: '57P03', severity: 'FATAL', message: 'the database system is starting up' });
    t.ok(isUnavailable(refused));
    database.answerWith(undefined);
    t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
  });

  t.test(`${on}a terminated session fails only its own query, with the reason`, options, async (t) => {
    const { database, sql } = await oneConnection(t);
    const sleeping = failureOf(sql`select pg_sleep(60), 'terminate me'`);
    const terminate =
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%terminate me%' and pid <> pg_backend_pid()";
    await eventually('the session is terminated', async () => (await query(database.direct, terminate)).length > 0);
    const error = await sleeping;
    t.match(error, { code: '57P01', severity: 'FATAL' });
    t.ok(isUnavailable(error));
    t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
  });

  t.test(`${on}a connection that is closed during its start fails the query`, options, async (t) => {
    const { database, sql } = await oneConnection(t);
    database.answerWith(Buffer.alloc(0));
    // Without the workaround, the driver reconnects forever and the query never ends.
    t.ok(isUnavailable(await failureOf(sql`select 1`)));
    database.answerWith(undefined);
    t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
  });

  t.test(`${on}a client that lost a query ends as soon as no connection is open`, options, async (t) => {
    const { sql, lose } = await oneConnection(t);
    await lose();
    let hasEnded = false;
    // Without a timeout, the driver would wait for that query forever.
    void sql.end().then(() => {
      hasEnded = true;
    });
    await eventually('the client has ended', () => hasEnded);
    t.pass('the client ended');
  });

  t.test(`${on}a server that stops responding loses the connection`, options, async (t) => {
    const database = await createLossyDatabase(t, { tls });
    const sql = openClient(database.address, { max: 1 }, { responseTimeout: 300 });
    t.teardown(() => sql.end({ timeout: 5 }));
    await sql`select 1`;
    t.ok(isUnavailable(await failureOf(sql`select pg_sleep(60)`)));
    t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
  });
}
