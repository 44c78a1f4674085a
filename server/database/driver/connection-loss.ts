/**
 * Delays statements while a connection loss is being reported (socket.ts). The driver (3.4.9) writes a statement in the
 * next turn. If the connection closes before that, it cancels the write but keeps its flag that a write is pending. It
 * then never writes to that connection again: each attempt to connect fails a query after `connect_timeout`.
 * (github.com/porsager/postgres, pull requests 1209 and 1215)
 */
import type postgres from 'postgres';
import { removeHoles } from './result-holes.ts';

/** The part of the driver's query that is used here; its constructor sets each member. */
export type DriverQuery = {
  handler: (query: DriverQuery) => unknown;
  resolve: (result: unknown) => unknown;
  reject: (error: unknown) => unknown;
};

/** Closed from a loss until the driver and all promises that depend on it have settled. */
export type LossGate = ReturnType<typeof createLossGate>;

export function createLossGate() {
  const reports = new Set<Promise<unknown>>();
  return {
    isOpen: (): boolean => reports.size === 0,

    /** @param reported resolves when the loss has been reported */
    closeUntil(reported: Promise<unknown>): void {
      reports.add(reported);
      void reported.then(() => reports.delete(reported));
    },

    async whenOpen(): Promise<void> {
      while (reports.size > 0) await Promise.all(reports);
    },
  };
}

/** Calls `dispatch` when the driver would send the query. Helpers such as sql('name') are returned unchanged. */
export function intercept<T>(made: T, dispatch: (send: () => unknown, query: DriverQuery) => unknown): T {
  const query = made as DriverQuery;
  const { handler } = query;
  if (handler !== undefined) query.handler = (self) => dispatch(() => handler(self), self);
  return made;
}

/** @returns the same client; statements in a transaction are delayed by transactions.ts */
export function delayDuringLoss(sql: postgres.Sql, gate: LossGate): postgres.Sql {
  const delayed = <T>(made: T): T =>
    intercept(made, (send, query) => {
      removeHoles(query);
      return gate.isOpen() ? send() : gate.whenOpen().then(send);
    });
  const unsafe = sql.unsafe as (...args: unknown[]) => unknown;
  sql.unsafe = ((...args: unknown[]) => delayed(unsafe(...args))) as typeof sql.unsafe;
  return new Proxy(sql, { apply: (target, self, args) => delayed(Reflect.apply(target, self, args)) });
}
