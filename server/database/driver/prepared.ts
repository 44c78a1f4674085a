import { sql } from 'drizzle-orm';
import type { ClientDatabase, Database, Transaction } from '../connect.ts';
import { plannedAnew } from './repeated.ts';

type Value = string | number | boolean | null;

/**
 * Runs a statement that has a name from its first use. The text must not vary between calls, because the server keeps
 * every text.
 * @returns rows as the driver returns them: 64-bit numbers and times as strings
 */
export async function prepared<Row>(db: ClientDatabase, text: string, values: Value[]): Promise<Row[]> {
  return (await db.$client.unsafe(text, values, { prepare: true })) as unknown as Row[];
}

/** Milliseconds that a list or search statement may take. */
export const LIST_TIMEOUT = 1000;

/**
 * Runs a prepared list query within LIST_TIMEOUT. The list connections (open.ts) have the limit as a session setting;
 * other connections have none. Behind a pooler, sessions keep no settings, so each statement sets its own.
 */
export async function preparedInTime<Row>(db: ClientDatabase, text: string, values: Value[]): Promise<Row[]> {
  if (db.$client.options.prepare) return prepared(db, text, values);
  return askUnder(db, { statement_timeout: String(LIST_TIMEOUT) }, text, values);
}

/** The same for drizzle statements; behind a pooler, in a transaction that sets the limit. */
export async function inTime<T>(db: ClientDatabase, work: (db: Database | Transaction) => Promise<T>): Promise<T> {
  if (db.$client.options.prepare) return work(db);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(LIST_TIMEOUT)}, true)`);
    return work(tx);
  });
}

/**
 * Runs a statement planned for these values, with Postgres settings that apply to it alone. With `statement_timeout` it
 * fails as unavailable (isUnavailable). The driver's cancel() is no alternative: when its separate connection closes,
 * the process ends (3.4.9; no issue is known).
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
    return await tx.unsafe(text, values, plannedAnew);
  });
  return rows as unknown as Row[];
}
