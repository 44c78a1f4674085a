/** The part of the page that sends files in pieces. It comes over the line that it is there to wait for, so it is waited for too. */
import { unreachable } from '../api/api-error.ts';
import { MOST_TRIES, pauseAfter, wait } from './patience.ts';

const load = () => import('./pieces.ts');

/** Before anything is to be sent, and perhaps the network gone. */
export const warmPieces = (): void => void load().catch(() => undefined);

/** @throws ApiError with status 0 when it did not come for long; the signal's reason */
export async function loadPieces(onLost: () => void, signal: AbortSignal): ReturnType<typeof load> {
  for (let tries = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      signal.throwIfAborted();
      if (tries >= MOST_TRIES) throw unreachable(error);
      // As long as the machine knows of no network, no try counts.
      if (navigator.onLine) tries += 1;
      onLost();
      await wait(pauseAfter(navigator.onLine ? tries : MOST_TRIES), signal);
      signal.throwIfAborted();
    }
  }
}
