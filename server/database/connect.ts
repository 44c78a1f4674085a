import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import * as schema from '../../drizzle/schema.ts';
import { type Address, parseDatabaseUrl } from './address.ts';
import { openClient } from './client.ts';
import type { BeginQuery } from './driver/query-observer.ts';
import { codeOf, DatabaseStartError, messageOf } from './start-error.ts';

export type Database = PostgresJsDatabase<typeof schema>;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
export type ClientDatabase = Database & { $client: postgres.Sql };
export type Connection = { db: ClientDatabase; sql: postgres.Sql; close(): Promise<void> };

const OLDEST_VERSION = 150_000;

/**
 * max: connections. responseTimeout: ms that a query may wait for any response. pooled: whether a pooler may use another
 * session for each transaction, which rules out named statements. beginQuery: called for each statement.
 * statementTimeout: ms until Postgres cancels a statement; ignored behind a pooler, which keeps no session settings.
 */
type ConnectOptions = {
  max?: number;
  responseTimeout?: number;
  pooled?: boolean;
  statementTimeout?: number;
  beginQuery?: BeginQuery | undefined;
};

export function connect(
  target: Address | string,
  { max = 10, responseTimeout = 15_000, pooled = false, beginQuery, statementTimeout }: ConnectOptions = {},
): Connection {
  const given = typeof target === 'string' ? parseDatabaseUrl(target) : target;
  const timeout: Record<string, string> =
    statementTimeout === undefined || pooled ? {} : { statement_timeout: String(statementTimeout) };
  const address = { ...given, parameters: { ...given.parameters, ...timeout } };
  const sql = openClient(
    address,
    { max, idle_timeout: 300, ...(pooled ? { prepare: false } : {}) },
    { responseTimeout, beginQuery },
  );
  return { db: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 5 }) };
}

/** Checks that the server is reachable, accepts the login and is Postgres 15 or newer. @throws DatabaseStartError */
export async function checkServer(sql: postgres.Sql, address: Address, name = 'DATABASE_URL'): Promise<void> {
  const rows = await sql`select current_setting('server_version_num')::int as number,
    current_setting('server_version') as version`.catch((error: unknown) => {
    throw new DatabaseStartError(`${name}: ${refusal(error, address)}`, { cause: error });
  });
  if (Number(rows[0]?.number) < OLDEST_VERSION) {
    throw new DatabaseStartError(`${name}: Postgres 15 or newer is needed, and this is ${rows[0]?.version}.`);
  }
}

/** Postgres answers a missing role like a wrong password. */
const ofRole =
  'Either the password is wrong or the role is missing. The database of docker-compose.yml gets both from POSTGRES_PASSWORD ' +
  'when it starts: run "docker compose up -d --force-recreate". For your own Postgres, see deploy/postgres/role.sql.';

function refusal(error: unknown, { host, port, user, database, isSecret }: Address): string {
  const at = isSecret ? '' : ` at ${host.startsWith('/') ? host : `${host}:${port}`}`;
  const reason = isSecret ? codeOf(error) : messageOf(error);
  switch (codeOf(error)) {
    case '28P01':
    case '28000':
      return `the server${at} refuses the user "${user}" (${messageOf(error)}). ${ofRole}`;
    case '3D000':
      return `the server${at} has no database${isSecret ? ' of that name' : ` "${database}"`}; create it first.`;
    default:
      return `the database${at} does not answer (${reason}).${isSecret ? ` ${ofEncoding}` : ''}`;
  }
}

/** Such a password may have cut the URL, so that its end became the host. */
const ofEncoding = 'If its password has characters like @ / ? # %, percent-encode them or use DATABASE_PASSWORD.';

const DRIVER_CODES = new Set(['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED']);
// Connection failures, insufficient resources, timeouts, shutdown, startup, read-only standby, I/O errors.
const SERVER_CODES = /^(08...|53...|57014|57P0[1-5]|25P0[34]|25006|58030)$/;
const SYSTEM_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOENT|EPIPE|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EACCES|EAGAIN)$/;

function* chain(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  yield error;
  yield* chain(error.cause, depth + 1);
  if (error instanceof AggregateError) for (const each of error.errors) yield* chain(each, depth + 1);
}

/** Whether the error means that the database is unreachable or not serving, rather than that the query is wrong. */
export function isUnavailable(error: unknown): boolean {
  let query = false;
  for (const each of chain(error)) {
    // drizzle and postgres.js attach the query to their errors; a socket error without one comes from elsewhere.
    query ||= 'query' in each;
    const code = codeOf(each);
    if (code === undefined) continue;
    if (DRIVER_CODES.has(code) || (SERVER_CODES.test(code) && 'severity' in each)) return true;
    if (SYSTEM_CODES.test(code) && query) return true;
  }
  return false;
}

export function uniqueViolation(error: unknown): string | undefined {
  for (const each of chain(error)) {
    if (codeOf(each) === '23505' && 'constraint_name' in each) return String(each.constraint_name);
  }
  return undefined;
}
