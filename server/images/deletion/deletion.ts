/** One image out: the row, from which moment its links are dead; then its bytes, where no other image names them. */

import type { LooseBytes } from '../orphaned-blobs/orphaned-blobs.ts';
import { Undecided } from '../transactions.ts';
import type { Deleted } from './queries.ts';

type Parts = {
  looseBytes: LooseBytes;
  /** @returns its link's key, and the bytes that are loose by it; undefined where this owner has no such image @throws Undecided */
  deleteImage: (ownerId: string, id: string) => Promise<Deleted | undefined>;
  /** Its link is answered no more. */
  forget: (linkKey: string) => void;
  /** The same for all links, where it is not known whether one is dead. */
  forgetAll: () => void;
};

export type Deletion = ReturnType<typeof createDeletion>;

export function createDeletion({ looseBytes, deleteImage, forget, forgetAll }: Parts) {
  /** @returns whether there was such an image. Bytes that cannot be removed now are the sweep's matter, not the user's. */
  return async function deletion(ownerId: string, id: string): Promise<boolean> {
    try {
      const deleted = await deleteImage(ownerId, id);
      if (deleted) forget(deleted.linkKey);
      if (deleted && deleted.loosened.length > 0) await looseBytes.remove(deleted.loosened);
      return deleted !== undefined;
    } catch (error) {
      if (error instanceof Undecided) {
        forgetAll();
        looseBytes.leave(error.loosened);
      }
      throw error;
    }
  };
}
