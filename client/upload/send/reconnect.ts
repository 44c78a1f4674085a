/** Decides whether and when to send a failed request again. */
import { MOST_TRIES, pauseAfter } from './backoff.ts';

export interface RegainingParts {
  /** Whether the browser is online. */
  readonly isOnline: () => boolean;
  /** Whether the server answers and is ready; also true once `signal` aborts. */
  readonly isThere: (signal: AbortSignal) => Promise<boolean>;
  /** Resolves after `ms` milliseconds, or earlier if the network returns or `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Failures in a row while the server is healthy: then the requests themselves are the problem, and waiting does not help. */
const MOST_BREAKS = 2;

/** @param lose called with whether the server is unreachable */
export function createRegaining({ isOnline, isThere, wait }: RegainingParts, lose: (lost: boolean) => void) {
  let [tries, breaks] = [0, 0];
  let regaining: Promise<boolean> | undefined;

  const regain = async (signal: AbortSignal): Promise<boolean> => {
    for (let wasThere = true; !signal.aborted; wasThere = false) {
      const there = await isThere(signal);
      if (signal.aborted) return true;
      if (there) {
        if (!wasThere) lose(false);
        else if (breaks < MOST_BREAKS) await wait(pauseAfter(breaks++), signal);
        else return false;
        return true;
      }
      if (tries >= MOST_TRIES) return false;
      // While the browser is offline, tries do not count.
      if (isOnline()) tries += 1;
      lose(true);
      // The wait ends early when the network returns.
      await wait(pauseAfter(isOnline() ? tries : MOST_TRIES), signal);
    }
    return true;
  };

  return {
    /** Resets the counters: a request has been answered, successfully or not. */
    answered(): void {
      [tries, breaks] = [0, 0];
    },
    /** Waits until the server is reachable or `signal` aborts; failures share one wait. @returns whether to send again */
    regain: (signal: AbortSignal): Promise<boolean> => {
      regaining ??= regain(signal).finally(() => {
        regaining = undefined;
      });
      return regaining;
    },
  };
}
