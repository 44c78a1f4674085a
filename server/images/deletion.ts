/** One image out: the row, from which moment its links are dead; then its bytes, where no other image names them. */
import type { LooseBytes } from './loose-bytes.ts';
import { type Stored, Undecided } from './transactions.ts';

type Parts = {
  looseBytes: LooseBytes;
  /** @returns the bytes that are loose by it; undefined where this owner has no such image @throws Undecided */
  deleteImage: (ownerId: string, id: string) => Promise<Stored[] | undefined>;
};

export type Deletion = ReturnType<typeof createDeletion>;

export function createDeletion({ looseBytes, deleteImage }: Parts) {
  /** @returns whether there was such an image. Bytes that cannot be removed now are the sweep's matter, not the user's. */
  return async function deletion(ownerId: string, id: string): Promise<boolean> {
    try {
      const loosened = await deleteImage(ownerId, id);
      if (loosened && loosened.length > 0) await looseBytes.remove(loosened);
      return loosened !== undefined;
    } catch (error) {
      if (error instanceof Undecided) looseBytes.leave(error.loosened);
      throw error;
    }
  };
}
