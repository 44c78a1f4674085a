import { join } from 'node:path';
import { nothingThere } from '../failures.ts';
import { isKey } from '../object-store.ts';

export type OwnedFolder = ReturnType<typeof ownedFolder>;

export function ownedFolder(root: string, assertOwned: () => Promise<void>) {
  return {
    assertOwned,
    pathOf(key: string): string {
      if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} is no key of the storage`);
      return join(root, key);
    },
    /** Reports an absent file only if the folder belongs to this installation. */
    async confirmAbsent(error: NodeJS.ErrnoException): Promise<undefined> {
      nothingThere(error);
      await assertOwned();
    },
  };
}
