/** The line between a server and its database, for pulling out: a TCP proxy in front of the test's Postgres. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import { databaseUrl, parseDatabaseUrl } from '../database/address.ts';
import { createTestDatabase } from './database.ts';

export async function createCabledDatabase(
  t: Test,
): Promise<{ url: string; direct: string; pull(): Promise<void>; plugIn(): Promise<void> }> {
  const { url: direct } = await createTestDatabase(t);
  const address = parseDatabaseUrl(direct);
  const target = address.host.startsWith('/')
    ? { path: `${address.host}/.s.PGSQL.${address.port}` }
    : { host: address.host, port: address.port };
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target as { path: string });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  const listen = async (port: number) => {
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    return (proxy.address() as AddressInfo).port;
  };
  const pull = async () => {
    if (!proxy.listening) return;
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await once(proxy, 'close');
  };
  const port = await listen(0);
  t.teardown(pull);
  return {
    url: databaseUrl({ ...address, host: '127.0.0.1', port }),
    /** To the same database, past the line. */
    direct,
    pull,
    plugIn: async () => {
      await listen(port);
    },
  };
}
