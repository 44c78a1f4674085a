import type { Socket } from 'node:net';
import postgres from 'postgres';
import type { Address } from './address.ts';
import { createLosses } from './losses.ts';
import { watchedSocket } from './watched-socket.ts';

type ClientOptions = postgres.Options<Record<string, never>>;

/**
 * A client as postgres.js has it; nothing is taken from PG* variables. Times are seconds there.
 * @param silence ms that a question may stay without any answer.
 */
export function openClient(
  address: Address,
  options: ClientOptions = {},
  silence = Number.POSITIVE_INFINITY,
): postgres.Sql {
  const { host, port } = address;
  const place = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const losses = createLosses();
  const sockets = createSockets();
  const watched = address.ssl ? {} : { socket: () => sockets.add(watchedSocket(place, silence, losses.add)) };
  const sql = postgres({
    host: address.host,
    port: address.port,
    user: address.user,
    pass: address.password ?? '',
    database: address.database,
    ssl: address.ssl ?? false,
    connect_timeout: 5,
    // Nobody here speaks in arrays. The driver (3.4.9) asks for their types at each connection and lets a failure of that
    // question pass to nobody: a connection lost at that moment would end the process.
    fetch_types: false,
    // A database that comes back is found again within a second; the driver's own backoff grows to 20 s.
    backoff: (tries: number) => Math.min(0.05 * 2 ** tries, 1),
    onnotice: () => {},
    connection: { application_name: 'gallery', ...address.parameters },
    ...watched,
    ...options,
  });
  if (!address.ssl) endWithSockets(sql, sockets);
  return losses.hold(sql);
}

/** The sockets of a client that are open. */
function createSockets() {
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();

  function remove(socket: Socket): void {
    open.delete(socket);
    if (open.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  return {
    add(socket: Socket): Socket {
      open.add(socket);
      return socket.once('close', () => remove(socket));
    },

    /** Resolves when none is open. */
    gone: () => (open.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.add(resolve))),
  };
}

/**
 * An end is over when no socket is open. The driver (3.4.9) waits until the time is up for the answer on a connection that was
 * lost in the middle of a query.
 */
function endWithSockets(sql: postgres.Sql, { gone }: ReturnType<typeof createSockets>): void {
  const { end } = sql;
  sql.end = (options) => Promise.race([end(options), gone()]);
}
