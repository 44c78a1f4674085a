import { type Actor, note } from '../audit/note.ts';
import { insertReset } from '../auth/password-reset/queries.ts';
import type { Database } from '../database/connect.ts';
import { AccountDisabled } from '../errors.ts';
import { hashToken, newToken } from '../mail/token.ts';

/** How long a link to a new password works. */
export const PASSWORD_LINK_MS = 24 * 60 * 60_000;

type Link = { account: { id: string; username: string }; actor: Actor };

/** @returns the path of the page that sets a new password, once @throws AccountDisabled */
export async function createPasswordLink(db: Database, { account, actor }: Link): Promise<string> {
  const token = newToken();
  await db.transaction(async (tx) => {
    const link = { tokenHash: hashToken(token), lifetimeMs: PASSWORD_LINK_MS };
    if (!(await insertReset(tx, { id: account.id }, link))) throw new AccountDisabled();
    await note(tx, { action: 'password.link', actor, account });
  });
  return `/reset#token=${token}`;
}
