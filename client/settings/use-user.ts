import type { User } from '../../server/contract.ts';
import { readUser } from '../api/account.ts';
import { userKey } from '../query/keys.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query-store.ts';
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

/** Stores a changed user, which is newer than every read in flight. */
export function storeUser(user: User): void {
  session.rename(user);
  queries.setData(userKey, user);
}
