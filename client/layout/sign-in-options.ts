/** The server's options for the login pages. Not part of their first script. */
import type { SignInOptions } from '../../server/contract.ts';
import { readSignInOptions } from '../api/password-reset.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query-store.ts';

export const signInOptionsQuery: Query<SignInOptions> = { key: ['sign-in-options'], load: readSignInOptions };

/** Whether the server mails links for password resets. @throws ApiError */
export async function mailsPasswordResets(): Promise<boolean> {
  const { data, error } = await queries.fetch(signInOptionsQuery);
  if (data === undefined) throw error;
  return data.password_reset;
}
