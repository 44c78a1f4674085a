/**
 * Tells of each statement that a client asks, from the moment it is given to the driver (3.4.9) until it is answered: its
 * text, never its values. Statements in the driver's own form (sql`...`) are not told: nothing that calls cause is asked so.
 */
import type postgres from 'postgres';

/** `active`: whether a connection is at it; else it waits for one. */
export type QueryState = { readonly active: boolean };

/** @returns what is called when the statement has ended */
export type BeginQuery = (text: string, state: QueryState) => (error?: unknown) => void;

/** What of the driver's query is used here: each is set by its constructor, and called once. */
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
    // Called when somebody awaits it, and not before: a query that is only made is none.
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

/** Changes the client; to be called before anything else changes how it begins transactions. */
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
