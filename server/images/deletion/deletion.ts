import type { ClientDatabase, Database, Transaction } from '../../database/connect.ts';
import { UNOWNED } from '../../database/process-registry.ts';
import type { Reach } from '../../database/statements/access.ts';
import type { ConfirmedUser } from '../../database/statements/unchanged-user.ts';
import type { OrphanedBlobs } from '../orphaned-blobs/orphaned-blobs.ts';
import { Undecided } from '../transactions.ts';
import { deleteAccount, deleteImage, type OnlyIf } from './queries.ts';

type Parts = {
  db: Database;
  /** The number of this process, which removes the bytes. */
  process: bigint;
  orphanedBlobs: OrphanedBlobs;
  forget: (linkKey: string) => void;
  forgetAll: () => void;
};

export type Deletion = ReturnType<typeof createDeletion>;

export function createDeletion({ db, process, orphanedBlobs, forget, forgetAll }: Parts) {
  /**
   * Also deletes the bytes if no other image names them; the sweep retries failures.
   * @param options.only spares an image that is in another state by now @returns whether the image existed
   */
  return async function deletion(reach: Reach, id: string, { only }: { only?: OnlyIf } = {}): Promise<boolean> {
    try {
      const deleted = await deleteImage(db, { reach, id, process, only });
      if (deleted) forget(deleted.linkKey);
      if (deleted && deleted.released.length > 0) await orphanedBlobs.remove(deleted.released);
      return deleted !== undefined;
    } catch (error) {
      if (error instanceof Undecided) {
        forgetAll();
        orphanedBlobs.release(error.released);
      }
      throw error;
    }
  };
}

type AccountParts = {
  withLongTimeout: <T>(work: (db: ClientDatabase) => Promise<T>) => Promise<T>;
  forgetAll: () => void;
};

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;

export function createAccountDeletion({ withLongTimeout, forgetAll }: AccountParts) {
  /**
   * Leaves the bytes to the sweep of any process.
   * @param user as confirmed by its owner, or the id for an administrator
   * @param alongside runs in the same transaction
   * @returns false if the account is gone, or has changed since it was confirmed
   * @throws LastAdmin
   */
  return async function accountDeletion(
    user: { id: string } | ConfirmedUser,
    alongside?: (tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    try {
      return await withLongTimeout((db) =>
        db.transaction(async (tx) => {
          if (!(await deleteAccount(tx, user, UNOWNED))) return false;
          await alongside?.(tx);
          return true;
        }),
      );
    } finally {
      // Also if it is unknown whether the deletion was committed.
      forgetAll();
    }
  };
}
