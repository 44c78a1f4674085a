/** What the server says to the pages without a login. Not part of the login page's first script. */
import type { InviteOffer, SignInOptions } from '../../server/contract.ts';
import { readInvite } from '../api/account/invite.ts';
import { readSignInOptions } from '../api/account/password-reset.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';

export const signInOptionsQuery: Query<SignInOptions> = { key: ['sign-in-options'], load: readSignInOptions };

/** What an invitation, or the link of the first administrator, allows. */
export const inviteQuery = (secret: string): Query<InviteOffer> => ({
  key: ['invite', secret],
  load: (signal) => readInvite(secret, signal),
});

/** Whether the server mails links for password resets. @throws ApiError */
export async function mailsPasswordResets(): Promise<boolean> {
  const { data, error } = await queries.fetch(signInOptionsQuery);
  if (data === undefined) throw error;
  return data.password_reset;
}
