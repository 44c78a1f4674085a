import postgres from 'postgres';
import type { Address } from './address.ts';
import { createLosses } from './driver/losses.ts';
import { watchedSocket } from './driver/watched-socket.ts';

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
  const watched = address.ssl ? {} : { socket: () => losses.watch(watchedSocket(place, silence, losses.add)) };
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
  return losses.hold(sql);
}
