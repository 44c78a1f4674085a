import type { User } from '../../server/contract.ts';
import { readUser } from '../api/account/account.ts';
import { userKey } from '../query/keys.ts';
import { replacing } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { useQuery } from '../query/use-query.ts';
import { session } from '../session/session.ts';

const userQuery: Query<User> = {
  key: userKey,
  async load(signal) {
    const user = await readUser(signal);
    // A name that was saved meanwhile is newer.
    signal.throwIfAborted();
    session.rename(user);
    return user;
  },
};

/** The stored user, then the user from the server: another device may have changed it. */
export function useUser(): User | null {
  return useQuery(userQuery).data ?? session.user();
}

/** Runs a call that changes the user, and stores the answer, here and in the other tabs. */
export async function changingUser<Answer extends { readonly user: User }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await replacing(userKey, call, ({ user }) => user);
  session.rename(answer.user);
  return answer;
}
