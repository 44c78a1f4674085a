/** A whole account out: its rows, from which moment its links are dead; then, by the sweep, the bytes of its images. */
type Parts = {
  /** The account's rows, all or none; the bytes are anybody's to remove then (database/presence.ts: nobody). */
  deleteAccount: (userId: string) => Promise<unknown>;
  /** No link is answered from memory. */
  forgetAll: () => void;
  sweep: () => Promise<void>;
};

export function createAccountDeletion({ deleteAccount, forgetAll, sweep }: Parts) {
  return async function accountDeletion(userId: string): Promise<void> {
    try {
      await deleteAccount(userId);
    } finally {
      // Also where it is not known whether it was committed.
      forgetAll();
    }
    // A large account's bytes take a while: nobody waits for them, and what fails is swept again each minute.
    void sweep();
  };
}
