import { once } from 'node:events';
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { parseDatabaseUrl } from '../address.ts';
import { openClient } from '../client.ts';
import { isUnavailable } from '../connect.ts';

const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

const refusal = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';

/** A proxy to a separate database, and a client with one connection through it. */
async function lineOf(t: Test) {
  const address = parseDatabaseUrl((await createTestDatabase(t)).url);
  const target = address.host.startsWith('/')
    ? { path: `${address.host}/.s.PGSQL.${address.port}` }
    : { host: address.host, port: address.port };
  const open = new Set<Socket>();
  let asked = '';
  let isStarting = false;
  const line = createServer((client) => {
    client.on('error', () => undefined);
    open.add(client);
    if (isStarting) {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(4 + refusal.length);
      client.once('data', () => client.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(refusal)])));
      return;
    }
    const server = openSocket(target as { path: string }).on('error', () => undefined);
    client.on('data', (chunk) => {
      asked += chunk.toString('latin1');
    });
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  t.teardown(() => line.close());
  const port = (line.address() as AddressInfo).port;
  const sql = openClient({ ...address, host: '127.0.0.1', port }, { max: 1 });
  t.teardown(() => sql.end({ timeout: 5 }));

  return {
    sql,
    endStart() {
      isStarting = false;
    },
    /** @param restart whether the database then starts up @returns the error of a query on the lost connection */
    async lose({ restart = false } = {}): Promise<unknown> {
      const lost = failureOf(sql`select pg_sleep(60)`);
      await eventually('the query reaches the server', () => asked.includes('pg_sleep'));
      asked = '';
      isStarting = restart;
      for (const socket of open) socket.destroy();
      return lost;
    },
  };
}

t.test('a startup error does not fail a later query', async (t) => {
  const { sql, lose, endStart } = await lineOf(t);
  t.match(await lose({ restart: true }), { code: 'CONNECTION_CLOSED' });
  const refused = await failureOf(sql`select 1`);
  t.match(refused, { code: '57P03', severity: 'FATAL', message: 'the database system is starting up' });
  t.ok(isUnavailable(refused));
  endStart();
  t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
});

t.test('a client that lost a connection during a query ends as soon as no connection is open', async (t) => {
  const { sql, lose } = await lineOf(t);
  await lose();
  let hasEnded = false;
  // Without a timeout the driver would wait for that query forever.
  void sql.end().then(() => {
    hasEnded = true;
  });
  await eventually('the client has ended', () => hasEnded);
  t.pass('the client ended');
});

t.test('a query made while a lost connection closes runs on another connection', async (t) => {
  const { sql, lose } = await lineOf(t);
  t.match(await lose(), { code: 'CONNECTION_CLOSED' });
  await turn();
  t.same([...(await sql`select 1 as one`)], [{ one: 1 }]);
  t.match(await lose(), { code: 'CONNECTION_CLOSED' });
  await turn();
  t.same([...(await sql.unsafe('select 1 as one'))], [{ one: 1 }]);
});
