import { basename } from 'node:path';
import { albumNameOf } from '../albums.ts';
import { albumNamed } from '../api/calls.ts';
import type { Connection } from '../api/http.ts';

/** @returns the id of the album for a folder below `root`, which is created when it is first needed */
export function createFolderAlbums(connection: Connection, root: string): (folder: string) => Promise<string> {
  const ids = new Map<string, Promise<string>>();
  let last: Promise<unknown> = Promise.resolve();
  return (folder) => {
    const name = albumNameOf(folder === '' ? basename(root) : folder) || 'Pictures';
    const known = ids.get(name);
    if (known) return known;
    // One after the other: two concurrent calls could create the same album.
    const id = last.then(() => albumNamed(connection, name));
    last = id.catch(() => ids.delete(name));
    ids.set(name, id);
    return id;
  };
}
