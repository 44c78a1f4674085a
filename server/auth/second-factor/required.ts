import type { UserRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';

/** Whether the server requires a second factor of an account (REQUIRE_SECOND_FACTOR). */
export const requiresFactor = (
  { requireSecondFactor: which }: Pick<Config, 'requireSecondFactor'>,
  { role }: Pick<UserRow, 'role'>,
): boolean => which === 'all' || (which === 'admins' && role === 'admin');
