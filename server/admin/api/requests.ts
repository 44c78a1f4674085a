/** What routes of one account have in common. */
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { Database } from '../../database/connect.ts';
import { NotFound } from '../../errors.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { forAdmins } from '../../http/scopes.ts';
import { type AccountRow, findAccount } from './account-queries.ts';

/** A route's `config`: ten changes a second. */
export const changing = { ...perAccount('administration', 600, 60_000), ...forAdmins };

export const AccountParams = Type.Object({ id: Type.String() });

/** @throws NotFound */
export async function accountAt(db: Database, id: string): Promise<AccountRow> {
  const row = isUuid(id) ? await findAccount(db, id) : undefined;
  if (!row) throw new NotFound('There is no such account. It may have been deleted.');
  return row;
}
