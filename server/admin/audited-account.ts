import { validate as isUuid } from 'uuid';
import type { Filter } from '../audit/queries.ts';
import { emailKey } from '../auth/account-names.ts';
import { findUser } from '../auth/queries.ts';
import type { Database } from '../database/connect.ts';

/** Entries of a deleted account are found by its id, by the username that they contain, or by the email of its failed logins. */
export async function auditedAccount(db: Database, name: string): Promise<Filter['account']> {
  const user = await findUser(db, name);
  if (user) return { id: user.id, emailKey: user.emailKey };
  return isUuid(name) ? { id: name } : { name, emailKey: emailKey(name) };
}
