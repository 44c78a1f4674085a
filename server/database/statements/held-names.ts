/** Names of links that are gone. Triggers hold them (migration 0032), so that a printed address does not lead to a stranger. */
import { and, eq, gt, lt, ne, sql } from 'drizzle-orm';
import { heldNames } from '../../../drizzle/schema.ts';
import { NameTaken } from '../../errors.ts';
import type { Database, Transaction } from '../connect.ts';

/** Days in which nobody but the former owner gets the name. */
const HELD_DAYS = 90;

const heldSince = sql`now() - make_interval(days => ${HELD_DAYS})`;

type Name = { kind: (typeof heldNames.$inferSelect)['kind']; name: string | null | undefined; ownerId: string };

/** Call after the name was written: a link that ended meanwhile has its name held by then. @throws NameTaken */
export async function refuseHeldName(tx: Transaction, { kind, name, ownerId }: Name): Promise<void> {
  if (!name) return;
  const isHeld = and(
    eq(heldNames.kind, kind),
    eq(heldNames.name, name),
    ne(heldNames.ownerId, ownerId),
    gt(heldNames.freedAt, heldSince),
  );
  if ((await tx.$count(heldNames, isHeld)) > 0) throw new NameTaken();
}

export async function deleteHeldNames(db: Database): Promise<void> {
  await db.delete(heldNames).where(lt(heldNames.freedAt, heldSince));
}
