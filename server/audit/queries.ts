import { and, asc, desc, eq, gt, gte, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { type AuditRow, auditLog } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import { type Actor, note } from './note.ts';

/** Days that an address is kept. */
export const ADDRESS_DAYS = 30;

export type Filter = {
  /** An action, or the part before its dot. */
  action?: string | undefined;
  /** The account that acts, that is concerned, or whose email was tried: by its id, or by a name or an email that it had. */
  account?: { id: string; emailKey?: string } | { name: string; emailKey: string } | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
};

/** Failed logins have no account, only the email that was tried. Entries of before 0.9.0 have no key of it. */
const hasEmail = (key: string) =>
  sql`coalesce(${auditLog.details} ->> 'email_key', lower(${auditLog.details} ->> 'email')) = ${key}`;

function concerns(account: NonNullable<Filter['account']>): SQL | undefined {
  if ('id' in account) {
    const { id, emailKey } = account;
    return or(
      eq(auditLog.accountId, id),
      eq(auditLog.actorId, id),
      emailKey === undefined ? undefined : hasEmail(emailKey),
    );
  }
  const name = account.name.replaceAll('\0', '\uFFFD').toLowerCase();
  // An account may have had other names, in other entries.
  const named = sql`select account_id from ${auditLog} named where lower(named.account) = ${name}`;
  return or(
    sql`lower(${auditLog.account}) = ${name}`,
    sql`lower(${auditLog.actor}) = ${name}`,
    sql`${auditLog.accountId} in (${named})`,
    sql`${auditLog.actorId} in (${named})`,
    hasEmail(account.emailKey),
  );
}

const conditionOf = ({ action, account, from, until }: Filter): SQL | undefined =>
  and(
    action === undefined
      ? undefined
      : or(eq(auditLog.action, action), sql`starts_with(${auditLog.action}, ${`${action}.`})`),
    account && concerns(account),
    from && gte(auditLog.at, from),
    until && lt(auditLog.at, until),
  );

/** The newest first. @param before id of the last entry of the previous page */
export async function listEntries(
  db: Database,
  filter: Filter,
  { before, size }: { before?: string | undefined; size: number },
): Promise<AuditRow[]> {
  const older = before === undefined ? undefined : lt(auditLog.id, before);
  return db
    .select()
    .from(auditLog)
    .where(and(conditionOf(filter), older))
    .orderBy(desc(auditLog.id))
    .limit(size);
}

/** All entries in batches, the oldest first. */
export async function* eachEntry(db: Database, filter: Filter, size = 500): AsyncGenerator<AuditRow[]> {
  let after: string | undefined;
  for (;;) {
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(conditionOf(filter), after === undefined ? undefined : gt(auditLog.id, after)))
      .orderBy(asc(auditLog.id))
      .limit(size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = rows.at(-1)?.id;
  }
}

/**
 * Deletes the entries from before a moment, in one transaction with an entry about it. Such entries stay.
 * @param save keeps them elsewhere; its error keeps all
 * @returns their number
 */
export async function trimLog(
  db: Database,
  { actor, before }: { actor: Actor; before: Date },
  save: (entries: AuditRow[]) => Promise<void>,
): Promise<number> {
  const old = and(lt(auditLog.at, before), ne(auditLog.action, 'audit.trimmed'));
  return db.transaction(async (tx) => {
    const entries = await tx.$count(auditLog, old);
    if (entries === 0) return 0;
    // The trigger of the table demands it before the deletion.
    await note(tx, { action: 'audit.trimmed', actor, details: { before: before.toISOString(), entries } });
    for (let removed = 0; ; ) {
      const oldest = tx.select({ id: auditLog.id }).from(auditLog).where(old).orderBy(asc(auditLog.id)).limit(500);
      const rows = await tx
        .delete(auditLog)
        .where(and(old, inArray(auditLog.id, oldest)))
        .returning();
      if (rows.length === 0) return removed;
      removed += rows.length;
      await save(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    }
  });
}

/** Deletes the addresses of old entries; the entries stay. */
export async function cutAddresses(db: Database): Promise<void> {
  await db
    .update(auditLog)
    .set({ address: null })
    .where(
      and(sql`${auditLog.address} is not null`, lt(auditLog.at, sql`now() - make_interval(days => ${ADDRESS_DAYS})`)),
    );
}

/** One entry as a program reads it. */
export const entryOf = (row: AuditRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  action: row.action,
  actor: row.actor,
  actor_id: row.actorId,
  account: row.account,
  account_id: row.accountId,
  details: row.details,
  address: row.address,
});
