import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MarkedPlace } from '../backend.ts';
import { makeMark, markOf, readMark } from '../ownership/marker.ts';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

export const markedFolder = (root: string): MarkedPlace => ({
  read: () => readMark(root),
  make: (id) => makeMark(root, id),
  hasOriginals: () => exists(join(root, 'originals')),
  words: {
    setting: 'DATA_DIR',
    place: root,
    question: 'Is its disk mounted, and is DATABASE_URL the right one?',
    mark: 'file "installation"',
    remove: `remove ${markOf(root)}`,
    put: (id) => `write the line ${id} into ${markOf(root)}`,
    makeOriginals: `make the folder ${join(root, 'originals')}`,
  },
});
