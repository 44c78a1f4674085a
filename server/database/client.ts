import postgres from 'postgres';
import type { Address } from './address.ts';
import { withoutArrayTypes } from './driver/array-types.ts';
import { createLossGate, delayDuringLoss } from './driver/connection-loss.ts';
import { endWithSockets } from './driver/ending.ts';
import { type BeginQuery, observeQueries } from './driver/query-observer.ts';
import { nameRepeated } from './driver/repeated.ts';
import { createSockets } from './driver/socket.ts';
import { guardTransactions } from './driver/transactions.ts';

type ClientOptions = postgres.Options<Record<string, never>>;

type Observation = {
  /** Milliseconds that a query may wait for any response. */
  responseTimeout?: number;
  beginQuery?: BeginQuery | undefined;
};

/** A postgres.js client that ignores the PG* variables and survives connection losses (driver/). */
export function openClient(
  address: Address,
  options: ClientOptions = {},
  { responseTimeout = Number.POSITIVE_INFINITY, beginQuery }: Observation = {},
): postgres.Sql {
  const gate = createLossGate();
  const sockets = createSockets(address, { responseTimeout, gate });
  // An option that the driver's types lack.
  const withSockets = { socket: sockets.open };
  const sql = postgres({
    host: address.host,
    port: address.port,
    user: address.user,
    pass: address.password ?? '',
    database: address.database,
    // The sockets use TLS if the address requires it.
    ssl: false,
    ...withSockets,
    connect_timeout: 5,
    ...withoutArrayTypes,
    // Reconnect within a second after an outage; the driver's own backoff grows to 20 s.
    backoff: (tries: number) => Math.min(0.05 * 2 ** tries, 1),
    onnotice: () => {},
    connection: { application_name: 'gallery', ...address.parameters },
    ...options,
  });
  nameRepeated(sql);
  if (beginQuery) observeQueries(sql, beginQuery);
  guardTransactions(sql, gate);
  endWithSockets(sql, sockets);
  return delayDuringLoss(sql, gate);
}
