/**
 * Delays queries made while a lost connection closes (watched-socket.ts). The driver (3.4.9) would queue them on that
 * connection for the end of the turn, then drop the queue but not its flag. The connection would never write again, and
 * each reconnect would wait for `connect_timeout` and fail a query. (github.com/porsager/postgres, 1215)
 */
import type { Socket } from 'node:net';
import type postgres from 'postgres';

type DriverQuery = { handler: (query: DriverQuery) => unknown };

export function createLosses() {
  const losses = new Set<Promise<void>>();
  const open = new Set<Promise<void>>();
  let hasLost = false;

  async function later(work: () => unknown): Promise<void> {
    while (losses.size > 0) await Promise.all(losses);
    work();
  }

  function holding<T>(made: T): T {
    const query = made as DriverQuery;
    const { handler } = query;
    // Query fragments have no handler.
    if (handler !== undefined) query.handler = (self) => (losses.size > 0 ? later(() => handler(self)) : handler(self));
    return made;
  }

  async function untilNoneIsOpen(): Promise<void> {
    while (open.size > 0) await Promise.all(open);
  }

  /** Makes end() resolve when no connection is open: the driver would wait for a lost query until its timeout. */
  function endAtOnce(sql: postgres.Sql): void {
    const end = sql.end.bind(sql);
    sql.end = async (options) => {
      const ended = end(options);
      await (hasLost ? Promise.race([ended, untilNoneIsOpen()]) : ended);
    };
  }

  return {
    watch(socket: Socket): Socket {
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      open.add(closed);
      void closed.then(() => open.delete(closed));
      return socket;
    },

    /** @param told resolves when the loss has been reported */
    add(told: Promise<void>): void {
      hasLost = true;
      losses.add(told);
      void told.then(() => losses.delete(told));
    },

    /** @returns the same client; queries in a transaction already have their connection and are not delayed */
    hold(sql: postgres.Sql): postgres.Sql {
      endAtOnce(sql);
      const unsafe = sql.unsafe as (...words: unknown[]) => unknown;
      sql.unsafe = ((...words: unknown[]) => holding(unsafe(...words))) as typeof sql.unsafe;
      return new Proxy(sql, { apply: (target, self, words) => holding(Reflect.apply(target, self, words)) });
    },
  };
}
