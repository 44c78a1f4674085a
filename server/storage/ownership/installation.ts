import { randomUUID } from 'node:crypto';
import { ConfigError } from '../../config/reading.ts';
import type { OwnershipMarker, RestoreMarker } from '../backend.ts';
import { isId } from './marker.ts';

type Known = { id: string | undefined; image: object | undefined };
type Log = { warn(details: object, message: string): void };

function refuse({ setting, location, question }: OwnershipMarker['texts'], reason: string, fix: string): never {
  throw new ConfigError(
    `${setting}: the storage in ${location} is not the one that this database belongs to (${reason}). ` +
      `${question} Nothing was changed. If they do belong together, ${fix}.`,
  );
}

/**
 * A database with images requires its own backend. One without images adopts the backend it finds; an empty backend
 * gets a new id, so that it is not mistaken for an unmounted disk later.
 * @returns the id of both
 * @throws ConfigError, one line, if they belong to different installations or the storage is missing
 */
export async function matchStorage(marker: OwnershipMarker, { id, image }: Known, log: Log): Promise<string> {
  const { texts } = marker;
  const found = await marker.read();
  if (found !== undefined && !isId(found)) refuse(texts, `its ${texts.marker} holds no id`, texts.remove);
  if (found !== undefined && found === id) return found;
  if (image && id !== undefined) {
    const reason = found === undefined ? `it has no ${texts.marker}` : `it belongs to ${found}, the database to ${id}`;
    refuse(texts, reason, texts.put(id));
  }
  // A database of an earlier version names no storage, but its images must be somewhere.
  if (image && found === undefined && !(await marker.hasOriginals())) {
    refuse(texts, 'the database has images, and here are none', texts.makeOriginals);
  }
  if (found === undefined) return marker.make(randomUUID());
  log.warn({ installation: found }, 'the database named another storage or none; it now belongs to the one found here');
  return found;
}

type Restored = { marker: Pick<OwnershipMarker, 'texts'>; restoring: Pick<RestoreMarker, 'read' | 'end'> };

/** @throws ConfigError, one line, if a restore into the backend has started; the database has no images */
export async function ensureNoRestore({ marker, restoring }: Restored): Promise<void> {
  if ((await restoring.read()) === undefined) return;
  const { setting, location } = marker.texts;
  throw new ConfigError(
    `${setting}: the restore into the storage in ${location} was not finished. Run the same "restore" again, or remove what ` +
      'it has left with "restore --discard".',
  );
}

/**
 * A restore writes files first and all rows at the end: a marker without images means that it was not finished.
 * @throws ConfigError, one line
 */
export async function ensureRestored({ marker, restoring }: Restored, { id, image }: Known): Promise<void> {
  if (!image) return ensureNoRestore({ marker, restoring });
  // The restore was killed between its rows and its last step.
  if (id === (await restoring.read())) await restoring.end();
}

/** @throws ConfigError, one line, if the backend does not belong to the installation */
export async function assertMarker(marker: OwnershipMarker, id: string): Promise<void> {
  const found = await marker.read();
  if (found === id) return;
  const { texts } = marker;
  const reason = found === undefined ? `it has no ${texts.marker}` : `it belongs to ${found}, the database to ${id}`;
  refuse(texts, reason, texts.put(id));
}

/**
 * Claims an empty backend for an installation whose storage is elsewhere.
 * @throws ConfigError, one line, if it belongs to another installation or holds originals without a marker
 */
export async function takeOver(marker: OwnershipMarker, id: string): Promise<void> {
  if ((await marker.read()) === undefined && !(await marker.hasOriginals())) await marker.make(id);
  await assertMarker(marker, id);
}

/**
 * Checks both backends during a migration. The first may be new; its owner is then the second's. The second never
 * counts as new if there are images, since it may be an unmounted disk.
 */
export async function matchBoth(
  first: OwnershipMarker,
  second: OwnershipMarker,
  known: Known,
  log: Log,
): Promise<string> {
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
