import type { ClientDatabase } from './connect.ts';
import { codeOf } from './start-error.ts';

type Value = string | number | boolean | null;

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
export async function prepared<Row>(db: ClientDatabase, text: string, values: Value[]): Promise<Row[]> {
  const ask = async (prepare: boolean) => (await db.$client.unsafe(text, values, { prepare })) as unknown as Row[];
  if (withoutNames.has(db.$client)) return ask(false);
  try {
    return await ask(true);
  } catch (error) {
    if (!LOST.has(codeOf(error) ?? '')) throw error;
    withoutNames.add(db.$client);
    return ask(false);
  }
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
