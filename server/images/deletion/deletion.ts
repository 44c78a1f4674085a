import type { OrphanedBlobs } from '../orphaned-blobs/orphaned-blobs.ts';
import { Undecided } from '../transactions.ts';
import type { Deleted } from './queries.ts';

type Parts = {
  orphanedBlobs: OrphanedBlobs;
  /** @returns the link key and orphaned bytes; undefined if this owner has no such image @throws Undecided */
  deleteImage: (ownerId: string, id: string) => Promise<Deleted | undefined>;
  forget: (linkKey: string) => void;
  forgetAll: () => void;
};

export type Deletion = ReturnType<typeof createDeletion>;

export function createDeletion({ orphanedBlobs, deleteImage, forget, forgetAll }: Parts) {
  /** Also deletes the bytes if no other image names them; the sweep retries failures. @returns whether the image existed */
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
