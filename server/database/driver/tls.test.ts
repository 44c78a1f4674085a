import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createLossyDatabase } from '../../testing/postgres/lossy-database.ts';
import type { Address } from '../address.ts';
import { openClient } from '../client.ts';
import { isUnavailable } from '../connect.ts';

const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

/** A client with one connection that requires TLS, and a server that answers its request. */
async function answering(t: Test, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sql = openClient({ host: '127.0.0.1', port, user: 'ann', database: 'x', ssl: 'require' }, { max: 1 });
  t.teardown(async () => {
    await sql.end({ timeout: 1 });
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return sql;
}

t.test('a server without TLS is refused unless the mode permits it', async (t) => {
  const { address } = await createLossyDatabase(t);
  const outcome = async (ssl: Address['ssl']) => {
    const sql = openClient({ ...address, ssl }, { max: 1 });
    const error = await failureOf(sql`select 1`);
    await sql.end({ timeout: 1 });
    return error;
  };
  for (const mode of ['require', 'verify-full'] as const) t.match(await outcome(mode), { code: 'ENOTLS' }, mode);
  for (const mode of ['prefer', 'allow'] as const) t.equal(await outcome(mode), undefined, mode);
});

t.test('data before the handshake is refused', async (t) => {
  const sql = await answering(t, (socket) => socket.write('Sextra'));
  t.match(await failureOf(sql`select 1`), { code: 'ESSLANSWER' });
});

t.test('each query to a server that closes the connection before TLS fails as unavailable', async (t) => {
  const sql = await answering(t, (socket) => socket.end());
  // A connection that the driver lost track of would let the second one wait forever.
  for (let count = 0; count < 3; count += 1) t.ok(isUnavailable(await failureOf(sql`select 1`)));
});

t.test('a query to a server that does not answer fails as unavailable', async (t) => {
  const sql = await answering(t, () => undefined);
  t.ok(isUnavailable(await failureOf(sql`select 1`)));
});

t.test('a client ends while the server does not answer', async (t) => {
  const sql = await answering(t, () => undefined);
  const waiting = failureOf(sql`select 1`);
  await sql.end({ timeout: 0.1 });
  t.ok(isUnavailable(await waiting));
});

t.test('a host name that does not exist fails as unavailable', async (t) => {
  const sql = openClient(
    { host: 'gallery.invalid', port: 5432, user: 'ann', database: 'x', ssl: 'require' },
    { max: 1 },
  );
  t.teardown(() => sql.end({ timeout: 1 }));
  t.ok(isUnavailable(await failureOf(sql`select 1`)));
});
