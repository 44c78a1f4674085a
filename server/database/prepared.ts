import type { ClientDatabase } from './connect.ts';
import { codeOf } from './start-error.ts';

type Value = string | number | boolean | null;
/** within: ms, after which Postgres is told to give the statement up; it then fails as a database that does not serve. */
type Options = { within?: number };

/** A statement that the server does not know by its name, or knows already: between us and it stands a pooler. */
const LOST = new Set(['26000', '42P05']);

/** Clients whose pooler gives each statement another session. */
const withoutNames = new WeakSet<object>();

/**
 * Asks by a statement that Postgres has read and planned before on the same connection: one round trip, where others
 * take two. For what is asked often; its text may not change from call to call, or each text stays on the server.
 *
 * @returns rows as the driver has them: 64-bit numbers and times as texts
 */
export async function prepared<Row>(
  db: ClientDatabase,
  text: string,
  values: Value[],
  options?: Options,
): Promise<Row[]> {
  if (withoutNames.has(db.$client)) return planned(db, text, values, options);
  try {
    return await ask(db, text, values, { ...options, prepare: true });
  } catch (error) {
    if (!LOST.has(codeOf(error) ?? '')) throw error;
    withoutNames.add(db.$client);
    return planned(db, text, values, options);
  }
}

/** The same, planned anew for these very values. */
export async function planned<Row>(
  db: ClientDatabase,
  text: string,
  values: Value[],
  options?: Options,
): Promise<Row[]> {
  return ask(db, text, values, { ...options, prepare: false });
}

async function ask<Row>(
  db: ClientDatabase,
  text: string,
  values: Value[],
  { prepare, within }: Options & { prepare: boolean },
): Promise<Row[]> {
  const query = db.$client.unsafe(text, values, { prepare });
  const timer = within === undefined ? undefined : setTimeout(() => query.cancel(), within);
  try {
    return (await query) as unknown as Row[];
  } finally {
    clearTimeout(timer);
  }
}
