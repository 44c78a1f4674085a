/** Decides whether and when to send a failed request again. */
import { MOST_TRIES, pauseAfter } from './backoff.ts';
import type { Environment } from './environment.ts';

/** Failures in a row while the server is healthy: then the requests themselves are the problem, and waiting does not help. */
const MOST_FAILURES = 2;

/** @param setOffline called with whether the server is unreachable */
export function createReconnect(
  { isOnline, isReady, wait }: Pick<Environment, 'isOnline' | 'isReady' | 'wait'>,
  setOffline: (isOffline: boolean) => void,
) {
  let [tries, failures] = [0, 0];
  let reconnecting: Promise<boolean> | undefined;

  const reconnect = async (signal: AbortSignal): Promise<boolean> => {
    for (let wasReady = true; !signal.aborted; wasReady = false) {
      const ready = await isReady(signal);
      if (signal.aborted) return true;
      if (ready) {
        if (!wasReady) setOffline(false);
        else if (failures < MOST_FAILURES) await wait(pauseAfter(failures++), signal);
        else return false;
        return true;
      }
      if (tries >= MOST_TRIES) return false;
      // While the browser is offline, tries do not count.
      if (isOnline()) tries += 1;
      setOffline(true);
      // The wait ends early when the network returns.
      await wait(pauseAfter(isOnline() ? tries : MOST_TRIES), signal);
    }
    return true;
  };

  return {
    /** Resets the counters: a request has been answered, successfully or not. */
    answered(): void {
      [tries, failures] = [0, 0];
    },
    /** Waits until the server is reachable or `signal` aborts; failures share one wait. @returns whether to send again */
    reconnect: (signal: AbortSignal): Promise<boolean> => {
      reconnecting ??= reconnect(signal).finally(() => {
        reconnecting = undefined;
      });
      return reconnecting;
    },
  };
}
