import { eq, sql } from 'drizzle-orm';
import { images, users } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';

/** Counted up to this many. */
const MOST_DUE = 10_000;

type Sums = { accounts: number; pending: number; disabled: number; admins: number; images: number; bytes: number };

export async function sumsOf(db: Database): Promise<Sums> {
  const countIf = (condition: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const [sums] = await db
    .select({
      accounts: sql<number>`count(*)::int`,
      pending: countIf(sql`${users.pendingSince} is not null`),
      disabled: countIf(sql`${users.disabledAt} is not null`),
      admins: countIf(sql`${users.role} = 'admin'`),
      images: sql<number>`coalesce(sum(${users.imageCount}), 0)::int`,
      bytes: sql<number>`coalesce(sum(${users.imageBytes}), 0)::float8`,
    })
    .from(users);
  return sums ?? { accounts: 0, pending: 0, disabled: 0, admins: 0, images: 0, bytes: 0 };
}

export async function renditionsDue(db: Database): Promise<number> {
  const due = db.select({ id: images.id }).from(images).where(eq(images.renditionsDue, true)).limit(MOST_DUE).as('due');
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(due);
  return row?.count ?? 0;
}

export async function postgresVersion(db: Database): Promise<string> {
  const [row] = await db.execute<{ server_version: string }>(sql`show server_version`);
  return row?.server_version ?? '';
}
