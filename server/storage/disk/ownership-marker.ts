import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnershipMarker } from '../backend.ts';
import { makeMarker, markerPath, readMarker } from '../ownership/marker.ts';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

export const folderMarker = (root: string): OwnershipMarker => ({
  read: () => readMarker(root),
  make: (id) => makeMarker(root, id),
  hasOriginals: () => exists(join(root, 'originals')),
  texts: {
    setting: 'DATA_DIR',
    location: root,
    question: 'Is its disk mounted, and is DATABASE_URL the right one?',
    marker: 'file "installation"',
    remove: `remove ${markerPath(root)}`,
    put: (id) => `write the line ${id} into ${markerPath(root)}`,
    makeOriginals: `make the folder ${join(root, 'originals')}`,
  },
});
