import type {
  Album,
  AlbumAddition,
  AlbumAnswer,
  AlbumLink,
  AlbumList,
  AlbumPage,
  AlbumRemoval,
  AlbumsHolding,
} from '../../server/contract.ts';
import { request } from './client.ts';

const pathOf = (id: string, rest = ''): string => `albums/${encodeURIComponent(id)}${rest}`;

/** All albums of the logged-in user, in their order. */
export const listAlbums = async (signal?: AbortSignal): Promise<Album[]> =>
  (await request<AlbumList>('albums/', signal ? { signal } : {})).albums;

export const makeAlbum = async (name: string): Promise<Album> =>
  (await request<AlbumAnswer>('albums/', { method: 'post', json: { name } })).album;

/** One page of an album, in its order. @param page from 1 */
export const openAlbum = (id: string, page: number, signal?: AbortSignal): Promise<AlbumPage> =>
  request<AlbumPage>(pathOf(id), { searchParams: { page }, ...(signal ? { signal } : {}) });

/** `cover`: an image of the album, or null for none. `position`: from 1, among the user's albums. */
export type AlbumChanges = { name?: string; cover?: string | null; position?: number };

export const changeAlbum = async (id: string, changes: AlbumChanges): Promise<Album> =>
  (await request<AlbumAnswer>(pathOf(id), { method: 'patch', json: changes })).album;

/** Deletes only the album, not its images. */
export const deleteAlbum = (id: string): Promise<void> => request<void>(pathOf(id), { method: 'delete' });

export const addToAlbum = (id: string, ids: readonly string[]): Promise<AlbumAddition> =>
  request<AlbumAddition>(pathOf(id, '/images'), { method: 'post', json: { ids } });

/** The images stay in the gallery. */
export const removeFromAlbum = (id: string, ids: readonly string[]): Promise<AlbumRemoval> =>
  request<AlbumRemoval>(pathOf(id, '/images'), { method: 'delete', json: { ids } });

/** @param before the images are moved to before this one; null for the end */
export const moveInAlbum = (id: string, ids: readonly string[], before: string | null): Promise<void> =>
  request<void>(pathOf(id, '/images'), { method: 'patch', json: { ids, before } });

/** Returns the link to the album's public page, and creates it if needed. */
export const linkAlbum = async (id: string): Promise<string> =>
  (await request<AlbumLink>(pathOf(id, '/link'), { method: 'post' })).url;

export const endAlbumLink = (id: string): Promise<void> => request<void>(pathOf(id, '/link'), { method: 'delete' });

/** For each album with any of these images, how many of them it contains. */
export const albumsHolding = async (ids: readonly string[], signal?: AbortSignal): Promise<Map<string, number>> => {
  const call = { method: 'post', json: { ids }, ...(signal ? { signal } : {}) } as const;
  const { albums } = await request<AlbumsHolding>('albums/holding', call);
  return new Map(albums.map(({ id, count }) => [id, count]));
};
