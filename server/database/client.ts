import postgres from 'postgres';
import type { Address } from './address.ts';
import { createLosses } from './driver/losses.ts';
import { watchedSocket } from './driver/watched-socket.ts';

type ClientOptions = postgres.Options<Record<string, never>>;

/** A postgres.js client that ignores the PG* variables. @param silence ms that a query may wait for any response */
export function openClient(
  address: Address,
  options: ClientOptions = {},
  silence = Number.POSITIVE_INFINITY,
): postgres.Sql {
  const { host, port } = address;
  const place = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const losses = createLosses();
  const watched = address.ssl ? {} : { socket: () => losses.watch(watchedSocket(place, silence, losses.add)) };
  const sql = postgres({
    host: address.host,
    port: address.port,
    user: address.user,
    pass: address.password ?? '',
    database: address.database,
    ssl: address.ssl ?? false,
    connect_timeout: 5,
    // No array types are used. If the connection is lost during the driver's query for them, its unhandled rejection
    // ends the process (3.4.9).
    fetch_types: false,
    // Reconnect within a second after an outage; the driver's own backoff grows to 20 s.
    backoff: (tries: number) => Math.min(0.05 * 2 ** tries, 1),
    onnotice: () => {},
    connection: { application_name: 'gallery', ...address.parameters },
    ...watched,
    ...options,
  });
  return losses.hold(sql);
}
