import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MarkedBackend } from '../backend.ts';
import { makeMarker, markerPath, readMarker } from '../ownership/marker.ts';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

export const markedFolder = (root: string): MarkedBackend => ({
  read: () => readMarker(root),
  make: (id) => makeMarker(root, id),
  hasOriginals: () => exists(join(root, 'originals')),
  words: {
    setting: 'DATA_DIR',
    place: root,
    question: 'Is its disk mounted, and is DATABASE_URL the right one?',
    mark: 'file "installation"',
    remove: `remove ${markerPath(root)}`,
    put: (id) => `write the line ${id} into ${markerPath(root)}`,
    makeOriginals: `make the folder ${join(root, 'originals')}`,
  },
});
