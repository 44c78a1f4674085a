/**
 * Observes each statement from when the driver (3.4.9) receives it until it completes: its text, never its values.
 * Statements in the driver's own form (sql`...`) are not observed; no request uses them.
 */
import type postgres from 'postgres';

/** `active`: whether a connection runs it; otherwise it waits for one. */
export type QueryState = { readonly active: boolean };

/** @returns a function to call when the statement has ended */
export type BeginQuery = (text: string, state: QueryState) => (error?: unknown) => void;

/** The part of the driver's query that is used here; its constructor sets each member, and each is called once. */
type DriverQuery = QueryState & {
  handler: (query: DriverQuery) => unknown;
  resolve: (result: unknown) => unknown;
  reject: (error: unknown) => unknown;
};

type Unsafe = (text: string, ...words: unknown[]) => DriverQuery;

function watchUnsafe(sql: { unsafe: unknown }, begin: BeginQuery): void {
  const unsafe = sql.unsafe as Unsafe;
  sql.unsafe = (text: string, ...words: unknown[]) => {
    const query = unsafe(text, ...words);
    const { handler, resolve, reject } = query;
    // The driver calls it when the query is first awaited; a query that is never awaited is never sent.
    query.handler = (self) => {
      const end = begin(text, query);
      query.resolve = (result) => {
        end();
        return resolve(result);
      };
      query.reject = (error) => {
        end(error);
        return reject(error);
      };
      return handler(self);
    };
    return query;
  };
}

type Work = (tx: postgres.TransactionSql) => unknown;

/** Patches the client; call it before other patches of `begin`. */
export function watchQueries(sql: postgres.Sql, begin: BeginQuery): void {
  watchUnsafe(sql, begin);
  const beginTransaction = sql.begin.bind(sql) as (work: Work) => Promise<unknown>;
  const watched = async (work: Work) => {
    let endOfCommit: ReturnType<BeginQuery> | undefined;
    try {
      const result = await beginTransaction(async (tx) => {
        watchUnsafe(tx, begin);
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
  sql.begin = watched as typeof sql.begin;
}
