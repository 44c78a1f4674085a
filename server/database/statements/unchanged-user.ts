import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type UserRow, users } from '../../../drizzle/schema.ts';

/** An account as it was when its owner proved who they are. */
export type ConfirmedUser = Pick<UserRow, 'id' | 'passwordHash' | 'emailConfirmedAt'>;

/**
 * The account has not been disabled, deleted or given another password since, and waits for no approval. The first proof of its
 * mailbox, which ends every earlier way in, has not taken place since either.
 */
export const unchangedUser = ({ id, passwordHash, emailConfirmedAt }: ConfirmedUser): SQL | undefined =>
  and(
    eq(users.id, id),
    sql`${users.passwordHash} is not distinct from ${passwordHash}::text`,
    emailConfirmedAt === null ? isNull(users.emailConfirmedAt) : undefined,
    isNull(users.disabledAt),
    isNull(users.pendingSince),
  );
