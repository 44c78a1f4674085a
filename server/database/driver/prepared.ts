import { sql } from 'drizzle-orm';
import type { ClientDatabase, Database, Transaction } from '../connect.ts';
import { codeOf } from '../start-error.ts';

type Value = string | number | boolean | null;

/** A statement that the session does not know by its name: between us and Postgres stands a pooler. */
const UNKNOWN = '26000';

/** Clients whose pooler gives each statement another session. */
const withoutNames = new WeakSet<object>();

/**
 * Asks by a statement that Postgres has read and planned before on the same connection: one round trip, where others
 * take two. For what is asked often; its text may not change from call to call, or each text stays on the server.
 *
 * @returns rows as the driver has them: 64-bit numbers and times as texts
 */
export async function prepared<Row>(db: ClientDatabase, text: string, values: Value[]): Promise<Row[]> {
  const isNamed = db.$client.options.prepare && !withoutNames.has(db.$client);
  const query = db.$client.unsafe(text, values, { prepare: isNamed });
  const rows = await query;
  // The driver has asked again, by another name, and would each time: the names would gather in the pooler's sessions.
  if (codeOf((query as { retried?: Error }).retried) === UNKNOWN) withoutNames.add(db.$client);
  return rows as unknown as Row[];
}

/** Milliseconds of a statement of a list or a search, at most. */
export const LIST_TIMEOUT = 1000;

/**
 * The same for a list whose time grows with what it looks at. The bound is a setting of the connections for lists (open.ts);
 * on any other connection nothing bounds it. Through a pooler, where a session keeps no setting, the statement brings it along.
 */
export async function preparedInTime<Row>(db: ClientDatabase, text: string, values: Value[]): Promise<Row[]> {
  if (db.$client.options.prepare) return prepared(db, text, values);
  return askUnder(db, { statement_timeout: String(LIST_TIMEOUT) }, text, values);
}

/** The same for statements of drizzle's: through a pooler, in a transaction that brings the bound along. */
export async function inTime<T>(db: ClientDatabase, work: (db: Database | Transaction) => Promise<T>): Promise<T> {
  if (db.$client.options.prepare) return work(db);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(LIST_TIMEOUT)}, true)`);
    return work(tx);
  });
}

/**
 * Asks by a statement planned for these very values, under settings of Postgres that hold for it alone. For what may
 * take long: with `statement_timeout` it ends in time, and fails as a database that does not serve (isUnavailable). Not
 * by the driver's cancel(), whose own connection, when it ends, ends the process (3.4.9).
 */
export async function askUnder<Row>(
  db: ClientDatabase,
  settings: Record<string, string>,
  text: string,
  values: Value[],
): Promise<Row[]> {
  const set = Object.keys(settings).map((name, index) => `set_config('${name}', $${index + 1}, true)`);
  const rows = await db.$client.begin(async (tx) => {
    await tx.unsafe(`select ${set.join(', ')}`, Object.values(settings));
    return await tx.unsafe(text, values);
  });
  return rows as unknown as Row[];
}
