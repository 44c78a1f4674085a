/** Albums by the name or the id that the user wrote. */
import { listAlbums } from './api/calls.ts';
import type { Connection } from './api/http.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isId = (text: string): boolean => uuid.test(text);

/** @returns the album's id @throws Error if no album or several have the name; Refused, Unreachable */
export async function findAlbum(connection: Connection, nameOrId: string): Promise<string> {
  if (isId(nameOrId)) return nameOrId.toLowerCase();
  const named = (await listAlbums(connection)).filter(({ name }) => name === nameOrId);
  const [album, another] = named;
  if (!album) throw new Error(`There is no album "${nameOrId}".`);
  if (another)
    throw new Error(
      `${named.length} albums are named "${nameOrId}". Use an id: ${named.map(({ id }) => id).join(', ')}.`,
    );
  return album.id;
}

/** Characters (server/albums/names.ts). */
const longest = 100;

/** A folder's name in the form in which the server stores names of albums. */
export const albumNameOf = (folder: string): string =>
  Array.from(
    folder
      .toWellFormed()
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
  )
    .slice(0, longest)
    .join('')
    .trim();
