/** Sends one file of a folder, and records each step in the journal. */
import { basename } from 'node:path';
import { addToAlbum } from '../api/calls.ts';
import type { Connection } from '../api/http.ts';
import { Refused } from '../api/refusal.ts';
import { uploadFile } from '../api/upload.ts';
import type { Entry, Journal } from './journal.ts';
import type { Found } from './scan.ts';
import { checkUnchanged, sourceOf } from './source.ts';
import type { Unsent } from './unsent.ts';

export type Target = {
  connection: Connection;
  journal: Journal;
  /** Id of the album for a folder; undefined for none. */
  albumFor: (folder: string) => Promise<string | undefined>;
  /** Called if the server may no longer have that album. */
  forgetAlbum: (folder: string) => void;
};

/** Refusals of the bytes themselves, which the same bytes always get. */
const lasting = ['NOT_AN_IMAGE', 'DAMAGED_IMAGE', 'TOO_MANY_PIXELS', 'EMPTY_FILE'];

const entryOf = ({ path, size, mtime }: Found, key: string): Entry => ({ path, size, mtime, key });

/** @throws Refused, Unreachable, ChangedFile; errors of the file system */
export async function sendFile(
  target: Target,
  { file, key, entry }: Unsent,
  onProgress: (sent: number) => void,
): Promise<void> {
  const { connection, journal } = target;
  const album = await target.albumFor(file.folder);
  // An upload that was begun keeps the album with which it was created.
  let used = entry?.upload ? entry.album : album;
  const source = await sourceOf(file, basename(file.name));
  const hooks = {
    onProgress,
    // On the disk before the first byte leaves: a killed run continues this upload and never begins another one.
    onUrl: (upload: string | undefined) => {
      used = album;
      journal.add({ ...entryOf(file, key), upload, album }, true);
    },
    check: () => checkUnchanged(file),
  };
  try {
    const { id } = await uploadFile(connection, source, { key, begun: entry?.upload, album }, hooks);
    await placeStored(target, file, { key, image: id, album: used });
  } catch (error) {
    if (error instanceof Refused && lasting.includes(error.code))
      journal.add({ ...entryOf(file, key), refused: error.message });
    throw error;
  }
}

/** Records an image that the server has, and puts it into the album of its folder. @throws Refused, Unreachable */
export async function placeStored(
  { connection, journal, albumFor }: Target,
  file: Found,
  { key, image, album }: { key: string; image: string; album?: string | undefined },
): Promise<void> {
  const wanted = await albumFor(file.folder);
  if (wanted && wanted !== album) await addToAlbum(connection, wanted, [image]);
  const entry = { ...entryOf(file, key), image, album: wanted ?? album };
  if (journal.find(file)?.image !== image || entry.album !== album) journal.add(entry);
}
