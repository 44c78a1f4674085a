/** pg-boss on the server's own connections to the database, in a schema of its own. Loaded when it is first asked for. */
import type PgBoss from 'pg-boss';
import type postgres from 'postgres';

export const jobsSchema = 'gallery_jobs';

type Rows = { rows: Record<string, unknown>[] };
export type Executor = { executeSql(text: string, values?: unknown[]): Promise<Rows> };

/** As Postgres reads it: what the driver is given as a text it hands on as it is, JSON too (drizzle sees to that). */
function asText(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return `{${value.map((one) => `"${String(one).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return JSON.stringify(value);
  return value as string | number | boolean;
}

/** Several statements that pg-boss wants done together. */
const together = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/;

/** Asks within this transaction. */
export const inside = (tx: postgres.TransactionSql): Executor => ({
  executeSql: async (text, values = []) => ({ rows: [...(await tx.unsafe(text, values.map(asText)))] }),
});

const on = (client: postgres.Sql): Executor => ({
  async executeSql(text, values = []) {
    const statements = together.exec(text)?.[1];
    if (statements === undefined) return { rows: [...(await client.unsafe(text, values.map(asText)))] };
    // By the driver's own transaction: the pool's connections are not left in the middle of one that failed.
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

/** Not begun yet. Jobs that failed for good stay for a day, under their id, so that what is due is not queued anew at once. */
export async function createBoss(client: postgres.Sql, onError: (error: Error) => void): Promise<Boss> {
  const { default: PgBossClass } = await import('pg-boss');
  const boss = new PgBossClass({ db: on(client), ...settings });
  boss.on('error', onError);
  return boss;
}

// Any number, as long as every release uses the same.
const QUEUES_LOCK = 7_346_203;

/** Those that are missing are made, the others brought up to date: by one process at a time, or they lock each other out. */
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
