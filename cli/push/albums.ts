import { basename } from 'node:path';
import { albumNameOf } from '../albums.ts';
import { albumNamed } from '../api/calls.ts';
import type { Connection } from '../api/http.ts';

/** The albums for the folders below `root`. */
export function createFolderAlbums(connection: Connection, root: string) {
  const ids = new Map<string, Promise<string>>();
  let last: Promise<unknown> = Promise.resolve();
  const nameFor = (folder: string) => albumNameOf(folder === '' ? basename(root) : folder) || 'Pictures';

  return {
    /** @returns the id of the folder's album, which is created when it is first needed */
    idFor(folder: string): Promise<string> {
      const name = nameFor(folder);
      const known = ids.get(name);
      if (known) return known;
      // One after the other: two concurrent calls could create the same album.
      const id = last.then(() => albumNamed(connection, name));
      last = id.catch(() => ids.delete(name));
      ids.set(name, id);
      return id;
    },
    /** The next call looks for the album again, and creates it if it was deleted. */
    forget(folder: string): void {
      ids.delete(nameFor(folder));
    },
  };
}
