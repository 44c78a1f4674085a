/**
 * Observes each statement from when the driver (3.4.9) receives it until it completes: its text, never its values. The
 * driver has no hook for the end of a statement. (github.com/porsager/postgres, issue 461)
 * Statements in the driver's own form (sql`...`) are not observed; no request uses them.
 */
import type postgres from 'postgres';
import type { DriverQuery } from './connection-loss.ts';

/** `active`: whether a connection runs it; otherwise it waits for one. */
export type QueryState = { readonly active: boolean };

/** @returns a function to call once, when the statement has ended */
export type BeginQuery = (text: string, state: QueryState) => (error?: unknown) => void;

type Unsafe = (text: string, ...args: unknown[]) => QueryState & DriverQuery;

function observeUnsafe(sql: { unsafe: unknown }, begin: BeginQuery): void {
  const unsafe = sql.unsafe as Unsafe;
  sql.unsafe = (text: string, ...args: unknown[]) => {
    const query = unsafe(text, ...args);
    const { handler } = query;
    // The driver calls it when the query is first awaited; a query that is never awaited is never sent.
    query.handler = (self) => {
      const { resolve, reject } = query;
      let end: ReturnType<BeginQuery> | undefined = begin(text, query);
      // After a connection loss the driver rejects the query, and resolves it when the next connection is ready.
      const endOnce = (error?: unknown) => {
        end?.(error);
        end = undefined;
      };
      query.resolve = (result) => {
        endOnce();
        return resolve(result);
      };
      query.reject = (error) => {
        endOnce(error);
        return reject(error);
      };
      return handler(self);
    };
    return query;
  };
}

type Work = (tx: postgres.TransactionSql) => unknown;

/** Patches the client; call it before other patches of `begin`. */
export function observeQueries(sql: postgres.Sql, begin: BeginQuery): void {
  observeUnsafe(sql, begin);
  const beginTransaction = sql.begin.bind(sql) as (work: Work) => Promise<unknown>;
  const observed = async (work: Work) => {
    let endOfCommit: ReturnType<BeginQuery> | undefined;
    try {
      const result = await beginTransaction(async (tx) => {
        observeUnsafe(tx, begin);
        const done = await work(tx);
        endOfCommit = begin('commit', { active: true });
        return done;
      });
      endOfCommit?.();
      return result;
    } catch (error) {
      endOfCommit?.(error);
      throw error;
    }
  };
  sql.begin = observed as typeof sql.begin;
}
