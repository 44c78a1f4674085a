import { validate as isUuid } from 'uuid';
import type { Filter } from '../audit/queries.ts';
import { findUser } from '../auth/queries.ts';
import type { Database } from '../database/connect.ts';

/** Entries of a deleted account are found by its id or by the username that they contain. */
export async function auditedAccount(db: Database, name: string): Promise<Filter['account']> {
  const id = isUuid(name) ? name : (await findUser(db, name))?.id;
  return id === undefined ? { name } : { id };
}
