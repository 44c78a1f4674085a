import { join } from 'node:path';
import type { Backend } from '../backend.ts';
import { belowDataDir } from '../data-dir.ts';
import { listFiles, listStorage } from '../listing.ts';
import { moveToLostAndFound } from '../lost-and-found.ts';
import { beginRestore, endRestore, readRestoreMarker } from '../ownership/restore-marker.ts';
import { objectsIn } from './folder.ts';
import { openDiskStorage } from './open.ts';
import { folderMarker } from './ownership-marker.ts';

/** A disk backend. Failures to read or create its folder are reported as errors of DATA_DIR. */
export function diskBackend(root: string): Backend {
  const { read, make, hasOriginals, texts } = folderMarker(root);
  return {
    marker: {
      read: () => belowDataDir(root, read),
      make: (id) => belowDataDir(root, () => make(id)),
      hasOriginals,
      texts,
    },
    open: (owner) => belowDataDir(root, () => openDiskStorage(root, owner)),
    objects: (installation, staging) => objectsIn(root, installation, staging),
    everything: ({ only, unreadable } = {}) =>
      only === undefined ? listStorage(root, { unreadable }) : listFiles(join(root, only), { below: only, unreadable }),
    setAside: (key, options) => moveToLostAndFound(root, key, options),
    restoring: {
      read: () => readRestoreMarker(root),
      begin: (installation) => beginRestore(root, installation),
      end: () => endRestore(root),
    },
    close() {},
  };
}
