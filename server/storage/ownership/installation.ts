/** Whether this storage belongs to this database: decided at the start, before a byte is written. */
import { randomUUID } from 'node:crypto';
import { ConfigError } from '../../config/reading.ts';
import type { MarkedBackend, RestoreMarker } from '../backend.ts';
import { isId } from './marker.ts';

type Known = { id: string | undefined; image: object | undefined };
type Log = { warn(details: object, message: string): void };

function refuse({ setting, place, question }: MarkedBackend['words'], said: string, mend: string): never {
  throw new ConfigError(
    `${setting}: the storage in ${place} is not the one that this database belongs to (${said}). ` +
      `${question} Nothing was changed. If they do belong together, ${mend}.`,
  );
}

/**
 * Where the database has images, their storage is the one it names. Where it has none, nothing can be lost, and it
 * takes to what it finds: a mark, or a place without one, which gets a new id, so that a disk that was only not
 * mounted is told from it later.
 *
 * @returns the id that both have from now on
 * @throws ConfigError, one line, where they belong to different installations or the storage is not there
 */
export async function matchStorage(place: MarkedBackend, { id, image }: Known, log: Log): Promise<string> {
  const { words } = place;
  const mark = await place.read();
  if (mark !== undefined && !isId(mark)) refuse(words, `its ${words.mark} holds no id`, words.remove);
  if (mark !== undefined && mark === id) return mark;
  if (image && id !== undefined) {
    const said = mark === undefined ? `it has no ${words.mark}` : `it belongs to ${mark}, the database to ${id}`;
    refuse(words, said, words.put(id));
  }
  // A database of an earlier version names no storage; but its images must lie somewhere.
  if (image && mark === undefined && !(await place.hasOriginals())) {
    refuse(words, 'the database has images, and here are none', words.makeOriginals);
  }
  if (mark === undefined) return place.make(randomUUID());
  log.warn({ installation: mark }, 'the database named another storage or none; it now belongs to the one found here');
  return mark;
}

type Restored = { marked: Pick<MarkedBackend, 'words'>; restoring: Pick<RestoreMarker, 'read' | 'end'> };

/** @throws ConfigError, one line, where a restore into the place was begun; its database has no images */
export async function ensureNoRestore({ marked, restoring }: Restored): Promise<void> {
  if ((await restoring.read()) === undefined) return;
  const { setting, place } = marked.words;
  throw new ConfigError(
    `${setting}: the restore into the storage in ${place} was not finished. Run the same "restore" again, or remove what ` +
      'it has left with "restore --discard".',
  );
}

/**
 * A restore writes files first, and all rows at once at the end: its mark on a place whose database has no images says
 * that the files there are nobody's yet.
 *
 * @throws ConfigError, one line, where a restore into the place was not finished
 */
export async function ensureRestored({ marked, restoring }: Restored, { id, image }: Known): Promise<void> {
  if (!image) return ensureNoRestore({ marked, restoring });
  // Killed between its rows and its last step.
  if (id === (await restoring.read())) await restoring.end();
}

/** @throws ConfigError, one line, where the place is not the installation's */
export async function assertMarker(place: MarkedBackend, id: string): Promise<void> {
  const mark = await place.read();
  if (mark === id) return;
  const { words } = place;
  const said = mark === undefined ? `it has no ${words.mark}` : `it belongs to ${mark}, the database to ${id}`;
  refuse(words, said, words.put(id));
}

/**
 * Takes an empty place over for an installation that has its storage elsewhere.
 * @throws ConfigError, one line, where it is another's, or holds originals of nobody
 */
export async function takeOver(place: MarkedBackend, id: string): Promise<void> {
  if ((await place.read()) === undefined && !(await place.hasOriginals())) await place.make(id);
  await assertMarker(place, id);
}

/**
 * Of two places with one installation's bytes, the first may be new: then the second says whose it is. The second is
 * never taken for new where there are images: they may lie there, on a disk that is not mounted.
 */
export async function matchBoth(first: MarkedBackend, second: MarkedBackend, known: Known, log: Log): Promise<string> {
  if ((await first.read()) === undefined) {
    const id = await matchStorage(second, known, log);
    await takeOver(first, id);
    return id;
  }
  const id = await matchStorage(first, known, log);
  if (known.image) await assertMarker(second, id);
  else await takeOver(second, id);
  return id;
}
