/** Loads a script for sending. It may be needed just when the connection is lost, so loading is retried. */
import { unreachable } from '../../api/api-error.ts';
import { MOST_TRIES, pauseAfter, wait } from './backoff.ts';

/** @throws ApiError with status 0 if loading keeps failing; the signal's reason if aborted */
export async function loadScript<Script>(
  load: () => Promise<Script>,
  onOffline: () => void,
  signal: AbortSignal,
): Promise<Script> {
  for (let tries = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      signal.throwIfAborted();
      if (tries >= MOST_TRIES) throw unreachable(error);
      // While the browser is offline, tries do not count.
      if (navigator.onLine) tries += 1;
      onOffline();
      await wait(pauseAfter(navigator.onLine ? tries : MOST_TRIES), signal);
      signal.throwIfAborted();
    }
  }
}
