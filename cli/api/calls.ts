/** One function for each call of the API that takes and answers JSON. All throw Unreachable and Refused. */

import { Readable } from 'node:stream';
import type {
  Album,
  AlbumAddition,
  AlbumAnswer,
  AlbumList,
  AlbumPage,
  ApiToken,
  Image,
  ImagePage,
  UploadedIds,
} from '../../server/contract.ts';
import { type Body, type Call, type Connection, Lost } from './http.ts';
import { refusalOf } from './refusal.ts';
import { attempt, call, createPatience, mayPass } from './retries.ts';

export const bodyOf = (bytes: Buffer): Body => ({ length: bytes.length, open: () => Readable.from([bytes]) });

const json = (value: unknown): Pick<Call, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/json' },
  body: bodyOf(Buffer.from(JSON.stringify(value))),
});

async function get<T>(connection: Connection, path: string, headers: Record<string, string> = {}): Promise<T> {
  const { body } = await call(connection, { method: 'GET', path, headers });
  return parsed<T>(body);
}

/** @throws Error if another program answered */
export function parsed<T>(body: string): T {
  try {
    return JSON.parse(body) as T;
  } catch {
    throw new Error('The answer is not from a gallery. Check the address.');
  }
}

export const currentToken = async (connection: Connection): Promise<ApiToken> =>
  (await get<{ token: ApiToken }>(connection, '/api/account/tokens/current')).token;

export const listAlbums = async (connection: Connection): Promise<Album[]> =>
  (await get<AlbumList>(connection, '/api/albums')).albums;

/** Creates the album if the account has none of this name. @returns its id */
export async function albumNamed(connection: Connection, name: string): Promise<string> {
  const patience = createPatience(connection);
  for (;;) {
    // Before each try: a try whose answer was lost may have created it.
    const present = (await listAlbums(connection)).find((album) => album.name === name);
    if (present) return present.id;
    const outcome = await attempt(connection, { method: 'POST', path: '/api/albums', ...json({ name }) });
    if (outcome instanceof Lost || mayPass(outcome)) await patience.waitAfter(outcome);
    else if (outcome.status !== 201) throw refusalOf(outcome);
    else return parsed<AlbumAnswer>(outcome.body).album.id;
  }
}

export async function addToAlbum(connection: Connection, albumId: string, ids: string[]): Promise<AlbumAddition> {
  const path = `/api/albums/${encodeURIComponent(albumId)}/images`;
  return parsed((await call(connection, { method: 'POST', path, ...json({ ids }) })).body);
}

/** This computer's time zone, for the dates in a search. The server takes names only, as in client/api/time-zone.ts. */
function zoneParameter(): { time_zone?: string } {
  const { timeZone = '' }: { timeZone?: string } = new Intl.DateTimeFormat().resolvedOptions();
  return /^[a-z]/i.test(timeZone) && timeZone !== 'Etc/Unknown' ? { time_zone: timeZone } : {};
}

type Pages = { images: Image[]; totalPages: number };

/** All images in pages, newest first; with an album, those in it, in its order. */
export async function* allImages(
  connection: Connection,
  { search, albumId }: { search?: string; albumId?: string | undefined } = {},
): AsyncGenerator<Image> {
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ page: String(page), ...(search ? { search, ...zoneParameter() } : {}) });
    const { images, totalPages }: Pages = albumId
      ? await get<AlbumPage>(connection, `/api/albums/${encodeURIComponent(albumId)}?${query}`)
      : await get<ImagePage>(connection, `/api/images?${query}`);
    yield* images;
    if (page >= totalPages) return;
  }
}

export async function deleteImage(connection: Connection, id: string): Promise<void> {
  const patience = createPatience(connection);
  const path = `/api/images/delete/${encodeURIComponent(id)}`;
  for (let isAgain = false; ; isAgain = true) {
    const outcome = await attempt(connection, { method: 'DELETE', path });
    if (outcome instanceof Lost || mayPass(outcome)) await patience.waitAfter(outcome);
    // An earlier try whose answer was lost, also by a proxy, may have deleted it.
    else if (outcome.status < 300 || (isAgain && outcome.status === 404)) return;
    else throw refusalOf(outcome);
  }
}

/** Ids of the images stored under upload keys, null for none, in order. */
export const findUploaded = async (connection: Connection, keys: string[]): Promise<(string | null)[]> =>
  (await get<UploadedIds>(connection, '/api/images/uploaded', { 'upload-keys': keys.join() })).ids;
