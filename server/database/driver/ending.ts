import type postgres from 'postgres';
import type { createSockets } from './socket.ts';

/**
 * Makes end() resolve once no connection is open after a loss. The driver (3.4.9) would wait for the lost query.
 * (github.com/porsager/postgres, issues 1097 and 1130)
 */
export function endWithSockets(sql: postgres.Sql, sockets: ReturnType<typeof createSockets>): void {
  const end = sql.end.bind(sql);
  sql.end = async (options) => {
    const ended = end(options);
    await Promise.race([ended, sockets.whenAllLost()]);
    sockets.abort();
  };
}
