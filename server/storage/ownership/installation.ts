import { randomUUID } from 'node:crypto';
import { ConfigError } from '../../config/reading.ts';
import type { MarkedBackend, RestoreMarker } from '../backend.ts';
import { isId } from './marker.ts';

type Known = { id: string | undefined; image: object | undefined };
type Log = { warn(details: object, message: string): void };

function refuse({ setting, place, question }: MarkedBackend['words'], reason: string, fix: string): never {
  throw new ConfigError(
    `${setting}: the storage in ${place} is not the one that this database belongs to (${reason}). ` +
      `${question} Nothing was changed. If they do belong together, ${fix}.`,
  );
}

/**
 * A database with images requires its own backend. One without images adopts the backend it finds; an empty backend
 * gets a new id, so that it is not mistaken for an unmounted disk later.
 * @returns the id of both
 * @throws ConfigError, one line, if they belong to different installations or the storage is missing
 */
export async function matchStorage(backend: MarkedBackend, { id, image }: Known, log: Log): Promise<string> {
  const { words } = backend;
  const mark = await backend.read();
  if (mark !== undefined && !isId(mark)) refuse(words, `its ${words.mark} holds no id`, words.remove);
  if (mark !== undefined && mark === id) return mark;
  if (image && id !== undefined) {
    const reason = mark === undefined ? `it has no ${words.mark}` : `it belongs to ${mark}, the database to ${id}`;
    refuse(words, reason, words.put(id));
  }
  // A database of an earlier version names no storage, but its images must be somewhere.
  if (image && mark === undefined && !(await backend.hasOriginals())) {
    refuse(words, 'the database has images, and here are none', words.makeOriginals);
  }
  if (mark === undefined) return backend.make(randomUUID());
  log.warn({ installation: mark }, 'the database named another storage or none; it now belongs to the one found here');
  return mark;
}

type Restored = { marked: Pick<MarkedBackend, 'words'>; restoring: Pick<RestoreMarker, 'read' | 'end'> };

/** @throws ConfigError, one line, if a restore into the backend has started; the database has no images */
export async function ensureNoRestore({ marked, restoring }: Restored): Promise<void> {
  if ((await restoring.read()) === undefined) return;
  const { setting, place } = marked.words;
  throw new ConfigError(
    `${setting}: the restore into the storage in ${place} was not finished. Run the same "restore" again, or remove what ` +
      'it has left with "restore --discard".',
  );
}

/**
 * A restore writes files first and all rows at the end: a marker without images means that it was not finished.
 * @throws ConfigError, one line
 */
export async function ensureRestored({ marked, restoring }: Restored, { id, image }: Known): Promise<void> {
  if (!image) return ensureNoRestore({ marked, restoring });
  // The restore was killed between its rows and its last step.
  if (id === (await restoring.read())) await restoring.end();
}

/** @throws ConfigError, one line, if the backend does not belong to the installation */
export async function assertMarker(backend: MarkedBackend, id: string): Promise<void> {
  const mark = await backend.read();
  if (mark === id) return;
  const { words } = backend;
  const reason = mark === undefined ? `it has no ${words.mark}` : `it belongs to ${mark}, the database to ${id}`;
  refuse(words, reason, words.put(id));
}

/** Claims an empty backend for an installation whose storage is elsewhere. @throws ConfigError if it is not empty */
export async function takeOver(backend: MarkedBackend, id: string): Promise<void> {
  if ((await backend.read()) === undefined && !(await backend.hasOriginals())) await backend.make(id);
  await assertMarker(backend, id);
}

/**
 * Checks both backends during a migration. The first may be new; its owner is then the second's. The second never
 * counts as new if there are images, since it may be an unmounted disk.
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
