/**
 * What is asked while a connection's loss is told (watched-socket.ts) waits for that moment. The driver (3.4.9) would give
 * it to that connection and put it down for the end of the turn; at the close it drops the end of the turn, but not what says
 * that one is due: this connection would never write again, and each time that it is made, wait for `connect_timeout` and fail a
 * query. (github.com/porsager/postgres, 1215)
 */
import type postgres from 'postgres';

/** What of the driver's query is used here. */
type DriverQuery = { handler: (query: DriverQuery) => unknown };

export function createLosses() {
  const losses = new Set<Promise<void>>();

  async function later(work: () => unknown): Promise<void> {
    while (losses.size > 0) await Promise.all(losses);
    work();
  }

  function holding<T>(made: T): T {
    const query = made as DriverQuery;
    const { handler } = query;
    // Of what is only a part of a query there is none.
    if (handler !== undefined) query.handler = (self) => (losses.size > 0 ? later(() => handler(self)) : handler(self));
    return made;
  }

  return {
    /** @param told until then */
    add(told: Promise<void>): void {
      losses.add(told);
      void told.then(() => losses.delete(told));
    },

    /** @returns the same client; what a transaction asks within has its connection already, and is left alone */
    hold(sql: postgres.Sql): postgres.Sql {
      const unsafe = sql.unsafe as (...words: unknown[]) => unknown;
      sql.unsafe = ((...words: unknown[]) => holding(unsafe(...words))) as typeof sql.unsafe;
      return new Proxy(sql, { apply: (target, self, words) => holding(Reflect.apply(target, self, words)) });
    },
  };
}
