/**
 * Gives names to statements that repeat: Postgres then parses them once, and they take one round trip instead of two.
 * drizzle sends each as a new one. (github.com/drizzle-team/drizzle-orm, issues 5502 and 6096)
 */
import { LRUCache } from 'lru-cache';
import type postgres from 'postgres';
import { codeOf } from '../start-error.ts';
import type { DriverQuery } from './connection-loss.ts';

/** Times that a text is sent before it gets a name, which costs memory in every connection. */
const OFTEN = 5;
/** Texts with names. */
const MOST = 100;
/** Texts that are counted. */
const COUNTED = 500;

/**
 * The SQLSTATE for a name that the session does not know: a pooler switched sessions. The driver (3.4.9) would fail and
 * retry each such statement once. (github.com/porsager/postgres, issue 547)
 */
const UNKNOWN = '26000';

type Options = { prepare?: boolean; isPlannedAnew?: boolean };

/** For a statement whose plan depends on its values: Postgres may plan a named one for any values. */
export const plannedAnew = { prepare: false, isPlannedAnew: true } satisfies Options;

type Unsafe = (text: string, values?: unknown, options?: Options) => DriverQuery & { retried?: Error };
type Work = (tx: postgres.TransactionSql) => unknown;

/** Patches the client. Without `prepare` in its options, no statement gets a name. */
export function nameRepeated(sql: postgres.Sql): void {
  const counts = new LRUCache<string, number>({ max: COUNTED });
  const named = new Set<string>();
  let isAllowed = sql.options.prepare;

  function repeats(text: string): boolean {
    if (named.has(text)) return true;
    if (named.size === MOST) return false;
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count < OFTEN) return false;
    counts.delete(text);
    named.add(text);
    return true;
  }

  /** Further names would pile up in the pooler's sessions. */
  function stopIfUnknown(error: unknown): void {
    if (codeOf(error) === UNKNOWN) isAllowed = false;
  }

  function watch(query: ReturnType<Unsafe>): void {
    const { resolve, reject } = query;
    query.resolve = (result) => {
      stopIfUnknown(query.retried);
      return resolve(result);
    };
    query.reject = (error) => {
      stopIfUnknown(error);
      return reject(error);
    };
  }

  function patch(client: { unsafe: unknown }): void {
    const unsafe = client.unsafe as Unsafe;
    client.unsafe = ((text, ...rest) => {
      const [values, options] = rest;
      if (!Array.isArray(values) || values.length === 0) return unsafe(text, ...rest);
      // drizzle sets `prepare` to false for what was not prepared by hand.
      const prepare = isAllowed && !options?.isPlannedAnew && (options?.prepare || repeats(text));
      const query = unsafe(text, values, { ...options, prepare });
      if (prepare) watch(query);
      return query;
    }) satisfies Unsafe;
  }

  patch(sql);
  const begin = sql.begin.bind(sql) as (work: Work) => Promise<unknown>;
  const patched = (work: Work) =>
    begin((tx) => {
      patch(tx);
      return work(tx);
    });
  sql.begin = patched as typeof sql.begin;
}
