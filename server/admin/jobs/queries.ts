/** Runs of the doctor and of backups. */
import { and, desc, eq, inArray, lt, notInArray, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type AdminJobRow, adminJobs } from '../../../drizzle/schema.ts';
import type { JobFacts } from '../../contract.ts';
import type { Database, Transaction } from '../../database/connect.ts';

export type JobKind = AdminJobRow['kind'];

/** `examples`: the first of them, a line each. */
export type Finding = {
  kind: string;
  title: string;
  todo: string;
  found: number;
  repaired: number;
  examples: string[];
};
export type JobResult = { summary: string; facts?: JobFacts | undefined; findings: Finding[] };

/** Seconds without a sign of life after which a run is believed to be dead. */
const LEASE = 60;
/** Runs that are kept of each kind. */
const KEPT = 50;

const leasedUntil = sql<Date>`now() + make_interval(secs => ${LEASE})`;
const isOpen = inArray(adminJobs.state, ['waiting', 'running']);

/** Ends runs whose process is gone. */
async function endDead(db: Database | Transaction): Promise<void> {
  await db
    .update(adminJobs)
    .set({
      state: 'failed',
      finishedAt: sql`now()`,
      leasedUntil: null,
      result: { summary: 'It was interrupted. Start it again.', findings: [] } satisfies JobResult,
    })
    .where(and(isOpen, lt(adminJobs.leasedUntil, sql`now()`)));
}

async function deleteOld(db: Database | Transaction, kind: JobKind): Promise<void> {
  const kept = db
    .select({ id: adminJobs.id })
    .from(adminJobs)
    .where(eq(adminJobs.kind, kind))
    .orderBy(desc(adminJobs.id))
    .limit(KEPT);
  await db.delete(adminJobs).where(and(eq(adminJobs.kind, kind), notInArray(adminJobs.id, kept)));
}

/** @returns undefined if one of this kind waits or runs already */
export async function insertJob(
  db: Database | Transaction,
  kind: JobKind,
  actor: string,
): Promise<AdminJobRow | undefined> {
  await endDead(db);
  await deleteOld(db, kind);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`job ${kind}`}, 0))`);
    const open = await tx
      .select({ id: adminJobs.id })
      .from(adminJobs)
      .where(and(eq(adminJobs.kind, kind), isOpen));
    if (open.length > 0) return undefined;
    const [row] = await tx
      .insert(adminJobs)
      .values({ id: uuidv7(), kind, actor, state: 'waiting', leasedUntil })
      .returning();
    return row;
  });
}

/** @returns whether it was waiting */
export async function beginJob(db: Database, id: string): Promise<boolean> {
  const begun = await db
    .update(adminJobs)
    .set({ state: 'running', startedAt: sql`now()`, leasedUntil })
    .where(and(eq(adminJobs.id, id), eq(adminJobs.state, 'waiting')))
    .returning({ id: adminJobs.id });
  return begun.length > 0;
}

export type JobProgress = Pick<AdminJobRow, 'step' | 'done' | 'total'>;

/** Also a sign of life. */
export async function noteProgress(db: Database, id: string, progress: JobProgress): Promise<void> {
  await db
    .update(adminJobs)
    .set({ ...progress, leasedUntil })
    .where(and(eq(adminJobs.id, id), eq(adminJobs.state, 'running')));
}

export async function finishJob(db: Database, id: string, state: 'done' | 'failed', result: JobResult): Promise<void> {
  await db
    .update(adminJobs)
    .set({ state, result, finishedAt: sql`now()`, leasedUntil: null })
    .where(and(eq(adminJobs.id, id), isOpen));
}

export async function findJob(db: Database, id: string): Promise<AdminJobRow | undefined> {
  await endDead(db);
  const [row] = await db.select().from(adminJobs).where(eq(adminJobs.id, id));
  return row;
}

export async function lastJob(db: Database, kind: JobKind): Promise<AdminJobRow | undefined> {
  await endDead(db);
  const [row] = await db.select().from(adminJobs).where(eq(adminJobs.kind, kind)).orderBy(desc(adminJobs.id)).limit(1);
  return row;
}
