import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { type UserRow, users } from '../../../drizzle/schema.ts';

/** An account as it was when its password was checked. */
export type ConfirmedUser = Pick<UserRow, 'id' | 'passwordHash'>;

/** The account has not been disabled, deleted or given another password since. */
export const unchangedUser = ({ id, passwordHash }: ConfirmedUser): SQL | undefined =>
  and(eq(users.id, id), eq(users.passwordHash, passwordHash), isNull(users.disabledAt));
