/** What guests of a collect link call. `path` leads to the link from the API's base: `../c/<key>`. */
import type { CollectPage, GuestEntry, GuestPage } from '../../server/contract.ts';
import { request } from './client.ts';

export const readLink = (path: string, signal: AbortSignal): Promise<CollectPage> =>
  request<CollectPage>(`${path}/link`, { signal });

/** Makes this browser a guest of the link. */
export const enterLink = (path: string, entry: GuestEntry): Promise<CollectPage> =>
  request<CollectPage>(`${path}/guest`, { method: 'post', json: entry });

/** @param which the guest's own images, or the album's */
export const listGuestImages = (
  path: string,
  which: 'images' | 'album',
  page: number,
  signal: AbortSignal,
): Promise<GuestPage> => request<GuestPage>(`${path}/${which}`, { searchParams: { page }, signal });

export const removeGuestImage = (path: string, id: string): Promise<void> =>
  request<void>(`${path}/images/${encodeURIComponent(id)}`, { method: 'delete' });
