import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type UserRow, users } from '../../../drizzle/schema.ts';

/** An account as it was when its password was checked. */
export type ConfirmedUser = Pick<UserRow, 'id' | 'passwordHash'>;

/** The account has not been disabled, deleted or given another password since, and waits for no approval. */
export const unchangedUser = ({ id, passwordHash }: ConfirmedUser): SQL | undefined =>
  and(
    eq(users.id, id),
    sql`${users.passwordHash} is not distinct from ${passwordHash}::text`,
    isNull(users.disabledAt),
    isNull(users.pendingSince),
  );
