/** A TCP proxy between a server and the test's Postgres whose connection can be cut. */
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import { databaseUrl, parseDatabaseUrl } from '../../database/address.ts';
import { createTestDatabase } from './database.ts';

export type Cable = {
  url: string;
  /** URL of the same database, past the proxy. */
  direct: string;
  pull(): Promise<void>;
  plugIn(): Promise<void>;
  /**
   * Breaks one connection at the next COMMIT of a transaction that updates a row, before it reaches the database or before
   * its answer returns. Resolves when that has happened.
   */
  loseCommit(when: 'before' | 'after'): Promise<unknown>;
};

export async function createCabledDatabase(t: Test): Promise<Cable> {
  const { url: direct } = await createTestDatabase(t);
  const address = parseDatabaseUrl(direct);
  const target = address.host.startsWith('/')
    ? { path: `${address.host}/.s.PGSQL.${address.port}` }
    : { host: address.host, port: address.port };
  const sockets = new Set<Socket>();
  const events = new EventEmitter();
  let losing: 'before' | 'after' | undefined;
  const proxy = createServer((client) => {
    const server = connect(target as { path: string });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    let updated = false;
    const lose = () => {
      losing = undefined;
      client.destroy();
      server.destroy();
      events.emit('lost');
    };
    client.on('data', (chunk) => (updated && losing === 'before' ? lose() : server.write(chunk)));
    server.on('data', (chunk) => {
      updated = losing === 'before' && chunk.includes('UPDATE 1\0');
      if (losing === 'after' && chunk.includes('COMMIT\0')) lose();
      else client.write(chunk);
    });
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
    direct,
    pull,
    loseCommit: (when) => {
      losing = when;
      return once(events, 'lost');
    },
    plugIn: async () => {
      await listen(port);
    },
  };
}
