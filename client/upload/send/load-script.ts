/** Loads the script for resumable uploads. It may be needed just when the connection is lost, so loading is retried. */
import { unreachable } from '../../api/api-error.ts';
import { MOST_TRIES, pauseAfter, wait } from './backoff.ts';

const load = () => import('./resumable-upload.ts');

/** Loads it ahead of need, while the network works. */
export const warmPieces = (): void => void load().catch(() => undefined);

/** @throws ApiError with status 0 if loading keeps failing; the signal's reason if aborted */
export async function loadPieces(onLost: () => void, signal: AbortSignal): ReturnType<typeof load> {
  for (let tries = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      signal.throwIfAborted();
      if (tries >= MOST_TRIES) throw unreachable(error);
      // While the browser is offline, tries do not count.
      if (navigator.onLine) tries += 1;
      onLost();
      await wait(pauseAfter(navigator.onLine ? tries : MOST_TRIES), signal);
      signal.throwIfAborted();
    }
  }
}
