import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import * as schema from '../../drizzle/schema.ts';
import { type Address, parseDatabaseUrl } from './address.ts';
import { openClient } from './client.ts';
import { surviveLostTransactions } from './driver/lost-transactions.ts';
import { type BeginQuery, watchQueries } from './driver/watched-queries.ts';
import { codeOf, DatabaseStartError, messageOf } from './start-error.ts';

export type Database = PostgresJsDatabase<typeof schema>;
/** What runs inside `db.transaction`. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** With the driver's own client, for statements that are prepared (prepared.ts). */
export type ClientDatabase = Database & { $client: postgres.Sql };
export type Connection = { db: ClientDatabase; sql: postgres.Sql; close(): Promise<void> };

const OLDEST_VERSION = 150_000;

/**
 * max: connections at most. silence: ms that a question may stay without any answer. pooled: whether a pooler gives each
 * transaction another session, so that none knows a statement by a name. beginQuery: told of each statement.
 * statementTimeout: ms after which Postgres ends a statement; not through a pooler, which knows no settings of a session.
 */
type ConnectOptions = {
  max?: number;
  silence?: number;
  pooled?: boolean;
  statementTimeout?: number;
  beginQuery?: BeginQuery | undefined;
};

/** @param target an Address (the embedded database's) or a `postgres://` URL. */
export function connect(
  target: Address | string,
  { max = 10, silence = 15_000, pooled = false, beginQuery, statementTimeout }: ConnectOptions = {},
): Connection {
  const given = typeof target === 'string' ? parseDatabaseUrl(target) : target;
  const timeout: Record<string, string> =
    statementTimeout === undefined || pooled ? {} : { statement_timeout: String(statementTimeout) };
  const address = { ...given, parameters: { ...given.parameters, ...timeout } };
  const sql = openClient(address, { max, idle_timeout: 300, ...(pooled ? { prepare: false } : {}) }, silence);
  if (beginQuery) watchQueries(sql, beginQuery);
  surviveLostTransactions(sql);
  return { db: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 5 }) };
}

/**
 * Asks the server once who it is.
 * @throws DatabaseStartError, one line, when it does not answer, refuses the login or is older than Postgres 15.
 */
export async function checkServer(sql: postgres.Sql, address: Address, name = 'DATABASE_URL'): Promise<void> {
  const rows = await sql`select current_setting('server_version_num')::int as number,
    current_setting('server_version') as version`.catch((error: unknown) => {
    throw new DatabaseStartError(`${name}: ${refusal(error, address)}`, { cause: error });
  });
  if (Number(rows[0]?.number) < OLDEST_VERSION) {
    throw new DatabaseStartError(`${name}: Postgres 15 or newer is needed, and this is ${rows[0]?.version}.`);
  }
}

function refusal(error: unknown, { host, port, user, database }: Address): string {
  const place = host.startsWith('/') ? host : `${host}:${port}`;
  switch (codeOf(error)) {
    case '28P01':
    case '28000':
      return `the server at ${place} refuses the user "${user}" (${messageOf(error)}).`;
    case '3D000':
      return `the server at ${place} has no database "${database}"; create it first.`;
    default:
      return `the database at ${place} does not answer (${messageOf(error)}).`;
  }
}

const DRIVER_CODES = new Set(['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED']);
// Connection exceptions, lack of resources (disk, memory, connections), cancelled by time-out, going down or coming up,
// a standby that takes no writes, and an I/O error below the server.
const SERVER_CODES = /^(08...|53...|57014|57P0[1-5]|25006|58030)$/;
const SYSTEM_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOENT|EPIPE|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EACCES|EAGAIN)$/;

function* chain(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  yield error;
  yield* chain(error.cause, depth + 1);
  if (error instanceof AggregateError) for (const each of error.errors) yield* chain(each, depth + 1);
}

/** Whether the error means that the database cannot be reached or does not serve now, rather than that a query is wrong. */
export function isUnavailable(error: unknown): boolean {
  let query = false;
  for (const each of chain(error)) {
    // Both drizzle and postgres.js put the query on their errors: without one, a socket's error is somebody else's.
    query ||= 'query' in each;
    const code = codeOf(each);
    if (code === undefined) continue;
    if (DRIVER_CODES.has(code) || (SERVER_CODES.test(code) && 'severity' in each)) return true;
    if (SYSTEM_CODES.test(code) && query) return true;
  }
  return false;
}

/** The name of the unique constraint that the error reports as violated. */
export function uniqueViolation(error: unknown): string | undefined {
  for (const each of chain(error)) {
    if (codeOf(each) === '23505' && 'constraint_name' in each) return String(each.constraint_name);
  }
  return undefined;
}
