/** A collect link and its images in the query store. Uploads invalidate them, as they do for an account. */
import type { CollectPage, GuestPage } from '../../server/contract.ts';
import { ApiError } from '../api/api-error.ts';
import { enterLink, listGuestImages, readLink, removeGuestImage } from '../api/collecting.ts';
import { imagesKey, usageKey } from '../query/keys.ts';
import { invalidate, queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { wait } from '../upload/send/backoff.ts';
import { retryDelay } from '../upload/send/retry-after.ts';

/** Whether the server answered that the link is unknown or has ended. A proxy's page says nothing about the link. */
export const hasEnded = (error: unknown): boolean =>
  error instanceof ApiError && [404, 410].includes(error.status) && !error.code.startsWith('HTTP_');

export const linkKey = (path: string) => [...usageKey, 'guest', path];

/** A link that asks for nothing is entered at once. */
async function openLink(path: string, signal: AbortSignal): Promise<CollectPage> {
  const link = await readLink(path, signal);
  return link.is_guest || link.protected || link.asks_name ? link : enterLink(path, {});
}

export const linkAt = (path: string): Query<CollectPage> => ({
  key: linkKey(path),
  async load(signal) {
    for (;;) {
      try {
        return await openLink(path, signal);
      } catch (error) {
        // All guests of one address share a limit. Only a page that already shows the link waits without saying so.
        const isShown = queries.read(linkKey(path)).data !== undefined;
        const pause = isShown && error instanceof ApiError ? retryDelay(error) : null;
        if (pause === null) throw error;
        await wait(pause, signal);
        signal.throwIfAborted();
      }
    }
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
