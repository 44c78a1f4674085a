/** Whether this storage belongs to this database: decided at the start, before a byte is written. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { isId, makeMark, markOf, readMark } from './mark.ts';

type Known = { id: string | undefined; hasImages: boolean };
type Log = { warn(details: object, message: string): void };

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

function refuse(root: string, said: string, mend: string): never {
  throw new ConfigError(
    `DATA_DIR: the storage in ${root} is not the one that this database belongs to (${said}). ` +
      `Is its disk mounted, and is DATABASE_URL the right one? Nothing was changed. If they do belong together, ${mend}.`,
  );
}

/**
 * Where the database has images, their storage is the one it names. Where it has none, nothing can be lost, and it
 * takes to what it finds: a mark, or a folder without one, which gets a new id, so that a disk that was only not
 * mounted is told from it later.
 *
 * @param root the storage's folder; made, with its mark, where there is none
 * @returns the id that both have from now on
 * @throws ConfigError, one line, where they belong to different installations or the storage is not there
 */
export async function matchStorage(root: string, { id, hasImages }: Known, log: Log): Promise<string> {
  const mark = await readMark(root);
  if (mark !== undefined && !isId(mark)) refuse(root, 'its file "installation" holds no id', `remove ${markOf(root)}`);
  if (mark !== undefined && mark === id) return mark;
  if (hasImages && id !== undefined) {
    const said = mark === undefined ? 'it has no file "installation"' : `it belongs to ${mark}, the database to ${id}`;
    refuse(root, said, `write the line ${id} into ${markOf(root)}`);
  }
  // A database of an earlier version names no storage; but its images must lie somewhere.
  if (hasImages && mark === undefined && !(await exists(join(root, 'originals')))) {
    refuse(root, 'the database has images, and here are none', `make the folder ${join(root, 'originals')}`);
  }
  if (mark === undefined) return makeMark(root, randomUUID());
  log.warn({ installation: mark }, 'the database named another storage or none; it now belongs to the one found here');
  return mark;
}
