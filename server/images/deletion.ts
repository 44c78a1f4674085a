/** One image out: the row, from which moment its links are dead; then its bytes. */
import type { ImageRow } from '../../drizzle/schema.ts';
import type { LooseBytes } from './loose-bytes.ts';
import { Undecided } from './transactions.ts';

type Parts = {
  looseBytes: LooseBytes;
  /** @returns undefined where this owner has no such image @throws Undecided */
  deleteImage: (ownerId: string, id: string) => Promise<ImageRow | undefined>;
};

export type Deletion = ReturnType<typeof createDeletion>;

export function createDeletion({ looseBytes, deleteImage }: Parts) {
  /** @returns whether there was such an image. Bytes that cannot be removed now are the sweep's matter, not the user's. */
  return async function deletion(ownerId: string, id: string): Promise<boolean> {
    try {
      const row = await deleteImage(ownerId, id);
      if (row) await looseBytes.remove([row]);
      return row !== undefined;
    } catch (error) {
      if (error instanceof Undecided) looseBytes.leave([{ id }]);
      throw error;
    }
  };
}
