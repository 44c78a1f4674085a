/** One image out: the row, from which moment its links are dead; then its bytes, where no other image names them. */

import type { OrphanedBlobs } from '../orphaned-blobs/orphaned-blobs.ts';
import { Undecided } from '../transactions.ts';
import type { Deleted } from './queries.ts';

type Parts = {
  orphanedBlobs: OrphanedBlobs;
  /** @returns its link's key, and the bytes that are loose by it; undefined where this owner has no such image @throws Undecided */
  deleteImage: (ownerId: string, id: string) => Promise<Deleted | undefined>;
  /** Its link is answered no more. */
  forget: (linkKey: string) => void;
  /** The same for all links, where it is not known whether one is dead. */
  forgetAll: () => void;
};

export type Deletion = ReturnType<typeof createDeletion>;

export function createDeletion({ orphanedBlobs, deleteImage, forget, forgetAll }: Parts) {
  /** @returns whether there was such an image. Bytes that cannot be removed now are the sweep's matter, not the user's. */
  return async function deletion(ownerId: string, id: string): Promise<boolean> {
    try {
      const deleted = await deleteImage(ownerId, id);
      if (deleted) forget(deleted.linkKey);
      if (deleted && deleted.released.length > 0) await orphanedBlobs.remove(deleted.released);
      return deleted !== undefined;
    } catch (error) {
      if (error instanceof Undecided) {
        forgetAll();
        orphanedBlobs.leave(error.released);
      }
      throw error;
    }
  };
}
