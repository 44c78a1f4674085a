/** pg-boss on the server's database connections, in a separate schema, loaded on first use. */
import type PgBoss from 'pg-boss';
import type postgres from 'postgres';

export const jobsSchema = 'gallery_jobs';

type Rows = { rows: Record<string, unknown>[] };
export type Executor = { executeSql(text: string, values?: unknown[]): Promise<Rows> };

/** A parameter as Postgres text; the driver, configured by drizzle, passes strings and JSON through unchanged. */
function asText(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return `{${value.map((one) => `"${String(one).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return JSON.stringify(value);
  return value as string | number | boolean;
}

/** Matches statements that pg-boss sends as one transaction. */
const together = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/;

export const inside = (tx: postgres.TransactionSql): Executor => ({
  executeSql: async (text, values = []) => ({ rows: [...(await tx.unsafe(text, values.map(asText)))] }),
});

const on = (client: postgres.Sql): Executor => ({
  async executeSql(text, values = []) {
    const statements = together.exec(text)?.[1];
    if (statements === undefined) return { rows: [...(await client.unsafe(text, values.map(asText)))] };
    // A transaction of the driver, because a failed one would leave a pooled connection inside it.
    await client.begin((tx) => tx.unsafe(statements));
    return { rows: [] };
  },
});

export type Boss = PgBoss;

const settings = {
  schema: jobsSchema,
  schedule: false,
  maintenanceIntervalSeconds: 60,
  archiveCompletedAfterSeconds: 3600,
  archiveFailedAfterSeconds: 86_400,
  deleteAfterHours: 24,
};

/** Creates pg-boss without starting it. Failed jobs keep their id for a day, so that their work is not queued again at once. */
export async function createBoss(client: postgres.Sql, onError: (error: Error) => void): Promise<Boss> {
  const { default: PgBossClass } = await import('pg-boss');
  const boss = new PgBossClass({ db: on(client), ...settings });
  boss.on('error', onError);
  return boss;
}

// Any number, as long as every release uses the same.
const QUEUES_LOCK = 7_346_203;

/** Creates or updates the queues, one process at a time to prevent deadlocks. */
export async function makeQueues(client: postgres.Sql, queues: PgBoss.Queue[]): Promise<void> {
  const { default: PgBossClass } = await import('pg-boss');
  await client.begin(async (tx) => {
    await tx.unsafe('select pg_advisory_xact_lock($1)', [QUEUES_LOCK]);
    const boss = new PgBossClass({ db: inside(tx), ...settings });
    const present = new Set((await boss.getQueues()).map(({ name }) => name));
    for (const queue of queues) {
      if (present.has(queue.name)) await boss.updateQueue(queue.name, queue);
      else await boss.createQueue(queue.name, queue);
    }
  });
}
