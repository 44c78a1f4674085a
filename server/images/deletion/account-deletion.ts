/** A whole account out: its rows, from which moment its links are dead; then, by a purge, the bytes of its images. */
import type { ConfirmedUser } from '../../database/statements/unchanged-user.ts';

type Parts = {
  /** The account's rows, all or none; the bytes are anybody's to remove then (database/process-registry.ts: nobody). */
  deleteAccount: (user: ConfirmedUser) => Promise<unknown>;
  /** No link is answered from memory. */
  forgetAll: () => void;
  /** Has the bytes removed that are anybody's; never throws. */
  purge: () => Promise<void>;
};

export function createAccountDeletion({ deleteAccount, forgetAll, purge }: Parts) {
  /** @returns false where the account has changed since its owner confirmed it */
  return async function accountDeletion(user: ConfirmedUser): Promise<boolean> {
    try {
      if ((await deleteAccount(user)) === undefined) return false;
    } finally {
      // Also where it is not known whether it was committed.
      forgetAll();
    }
    // A large account's bytes take a while: nobody waits for them, and what fails is tried again each minute.
    void purge();
    return true;
  };
}
