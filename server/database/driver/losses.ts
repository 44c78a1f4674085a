/**
 * What is asked while a connection's loss is told (watched-socket.ts) waits for that moment. The driver (3.4.9) would give
 * it to that connection and put it down for the end of the turn; at the close it drops the end of the turn, but not what says
 * that one is due: this connection would never write again, and each time that it is made, wait for `connect_timeout` and fail a
 * query. (github.com/porsager/postgres, 1215)
 */
import type { Socket } from 'node:net';
import type postgres from 'postgres';

/** What of the driver's query is used here. */
type DriverQuery = { handler: (query: DriverQuery) => unknown };

export function createLosses() {
  const losses = new Set<Promise<void>>();
  /** Until each connection is closed. */
  const open = new Set<Promise<void>>();
  let hasLost = false;

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

  async function untilNoneIsOpen(): Promise<void> {
    while (open.size > 0) await Promise.all(open);
  }

  /**
   * The driver waits for the query of a lost connection as if it could still be answered, until its timeout: here, once
   * one was lost, it is enough that none is open.
   */
  function endAtOnce(sql: postgres.Sql): void {
    const end = sql.end.bind(sql);
    sql.end = async (options) => {
      const ended = end(options);
      await (hasLost ? Promise.race([ended, untilNoneIsOpen()]) : ended);
    };
  }

  return {
    /** @returns the same socket, of a connection that is being made */
    watch(socket: Socket): Socket {
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      open.add(closed);
      void closed.then(() => open.delete(closed));
      return socket;
    },

    /** @param told until then */
    add(told: Promise<void>): void {
      hasLost = true;
      losses.add(told);
      void told.then(() => losses.delete(told));
    },

    /** @returns the same client; what a transaction asks within has its connection already, and is left alone */
    hold(sql: postgres.Sql): postgres.Sql {
      endAtOnce(sql);
      const unsafe = sql.unsafe as (...words: unknown[]) => unknown;
      sql.unsafe = ((...words: unknown[]) => holding(unsafe(...words))) as typeof sql.unsafe;
      return new Proxy(sql, { apply: (target, self, words) => holding(Reflect.apply(target, self, words)) });
    },
  };
}
