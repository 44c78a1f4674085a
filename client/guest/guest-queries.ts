/** A collect link and its images in the query store. Uploads invalidate them, as they do for an account. */
import type { CollectPage, GuestPage } from '../../server/contract.ts';
import { ApiError } from '../api/api-error.ts';
import { enterLink, listGuestImages, readLink, removeGuestImage } from '../api/collecting.ts';
import { imagesKey, usageKey } from '../query/keys.ts';
import { invalidate } from '../query/queries.ts';
import type { Query } from '../query/query-store.ts';

const hasEnded = (error: unknown): boolean => error instanceof ApiError && [404, 410].includes(error.status);

export const linkKey = (path: string) => [...usageKey, 'guest', path];

/** A link that asks for nothing is entered at once. */
export const linkAt = (path: string): Query<CollectPage> => ({
  key: linkKey(path),
  async load(signal) {
    const link = await readLink(path, signal);
    return link.is_guest || link.protected || link.asks_name ? link : enterLink(path, {});
  },
  isGone: hasEnded,
});

export const imagesAt = (path: string, which: 'images' | 'album', page: number): Query<GuestPage> => ({
  key: [...imagesKey, 'guest', path, which, page],
  load: (signal) => listGuestImages(path, which, page, signal),
});

export async function removeImage(path: string, id: string): Promise<void> {
  await removeGuestImage(path, id);
  invalidate(imagesKey);
  invalidate(usageKey);
}
