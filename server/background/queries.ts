import { lte, sql } from 'drizzle-orm';
import { leases } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';

/** @returns whether this process has the lease now; no other one gets it before it expires */
export async function takeLease(db: Database, name: string, seconds: number): Promise<boolean> {
  const expiresAt = sql`now() + make_interval(secs => ${seconds})`;
  const taken = await db
    .insert(leases)
    .values({ name, expiresAt })
    .onConflictDoUpdate({ target: leases.name, set: { expiresAt }, setWhere: lte(leases.expiresAt, sql`now()`) })
    .returning({ name: leases.name });
  return taken.length > 0;
}
