import type { ConfirmedUser } from '../../database/statements/unchanged-user.ts';

type Parts = {
  /** Deletes all rows or none; any process may then remove the bytes (UNOWNED in database/process-registry.ts). */
  deleteAccount: (user: ConfirmedUser) => Promise<unknown>;
  forgetAll: () => void;
  /** Removes unowned bytes; never throws. */
  purge: () => Promise<void>;
};

export function createAccountDeletion({ deleteAccount, forgetAll, purge }: Parts) {
  /** @returns false if the account changed after its owner confirmed the deletion */
  return async function accountDeletion(user: ConfirmedUser): Promise<boolean> {
    try {
      if ((await deleteAccount(user)) === undefined) return false;
    } finally {
      // Also if it is unknown whether the deletion was committed.
      forgetAll();
    }
    // Not awaited: a large account takes a while, and failures are retried each minute.
    void purge();
    return true;
  };
}
