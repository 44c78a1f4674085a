import { desc, eq, lte, sql } from 'drizzle-orm';
import { renditionAttempts as attempts, type ImageRow, images } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { contentIdOf } from '../images/keys.ts';

/** `earlier`: the last failure, if there was one. */
export type Attempt = { row: ImageRow; tries: number; earlier: { tries: number; nextAt: Date } | undefined };

/** Attempts before a content rests for a day. */
export const maxTries = 5;

/** Seconds until another process may take over an attempt; longer than any attempt. */
const lease = 150;
const day = 86_400;

/** Seconds after a failure: a minute at first, doubled each time. */
const restAfter = (tries: number) => (tries < maxTries ? 60 * 2 ** (tries - 1) : day);

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

const contentOf = sql`coalesce(${images.contentId}, ${images.id})`;

// Any number, as long as every release uses the same.
const ATTEMPTS_LOCK = 7_346_204;

/** Takes the newest due content that no process works on, except failed ones that still rest. */
export async function takeDue(db: Database): Promise<Attempt | undefined> {
  return db.transaction(async (tx) => {
    // One process takes at a time, so that the next one sees what is taken.
    await tx.execute(sql`select pg_advisory_xact_lock(${ATTEMPTS_LOCK})`);
    // A subquery is never planned as a join, which would read all due images.
    const nextAt = sql`(select ${attempts.nextAt} from ${attempts} where ${attempts.contentId} = ${contentOf})`;
    const [row] = await tx
      .select()
      .from(images)
      .where(sql`${images.renditionsDue} and coalesce(${nextAt} <= now(), true)`)
      .orderBy(desc(images.id))
      .limit(1);
    if (!row) return undefined;
    const contentId = contentIdOf(row);
    const [earlier] = await tx
      .select({ tries: attempts.tries, nextAt: attempts.nextAt })
      .from(attempts)
      .where(eq(attempts.contentId, contentId));
    const tries = ((earlier?.tries ?? 0) % maxTries) + 1;
    // Also holds if the process dies, so that a picture that kills processes is tried five times a day at most.
    const taken = { tries, leasedUntil: inSeconds(lease), nextAt: inSeconds(tries < maxTries ? lease : day) };
    await tx
      .insert(attempts)
      .values({ contentId, ...taken })
      .onConflictDoUpdate({ target: attempts.contentId, set: taken });
    return { row, tries, earlier };
  });
}

/** Ends an attempt that succeeded. */
export async function endAttempt(db: Database, { row }: Attempt): Promise<void> {
  await db.delete(attempts).where(eq(attempts.contentId, contentIdOf(row)));
}

/** Ends an attempt that does not count: earlier failures stay counted. */
export async function undoAttempt(db: Database, attempt: Attempt): Promise<void> {
  const { row, earlier } = attempt;
  if (!earlier) return endAttempt(db, attempt);
  await db
    .update(attempts)
    .set({ ...earlier, leasedUntil: null })
    .where(eq(attempts.contentId, contentIdOf(row)));
}

export async function failAttempt(db: Database, { row, tries }: Attempt): Promise<void> {
  await db
    .update(attempts)
    .set({ leasedUntil: null, nextAt: inSeconds(restAfter(tries)) })
    .where(eq(attempts.contentId, contentIdOf(row)));
}

/** Forgets attempts at images that have been deleted since. */
export async function clearOldAttempts(db: Database): Promise<void> {
  await db.delete(attempts).where(lte(attempts.nextAt, inSeconds(-day)));
}
