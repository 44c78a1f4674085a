/** Requests that break off: whether, and when, the same is to be sent again. */
import { MOST_TRIES, pauseAfter } from './patience.ts';

export interface RegainingParts {
  /** Whether the machine knows of a network. */
  readonly isOnline: () => boolean;
  /** Whether the server answers, and is ready; true, too, as soon as `signal` says so. */
  readonly isThere: (signal: AbortSignal) => Promise<boolean>;
  /** Resolves after so many milliseconds, or as soon as there is a network again, or `signal` says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** In a row though the server is there: then something takes these requests amiss, and no waiting mends it. */
const MOST_BREAKS = 2;

/** @param lose is told whether the server is out of reach */
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
      // As long as the machine knows of no network, no try counts.
      if (isOnline()) tries += 1;
      lose(true);
      // A network that comes back is told of.
      await wait(pauseAfter(isOnline() ? tries : MOST_TRIES), signal);
    }
    return true;
  };

  return {
    /** A request has been answered, whatever was said. */
    answered(): void {
      [tries, breaks] = [0, 0];
    },
    /** Waits until the server is there, or `signal` says so; requests that broke off together wait together. @returns whether to send again */
    regain: (signal: AbortSignal): Promise<boolean> => {
      regaining ??= regain(signal).finally(() => {
        regaining = undefined;
      });
      return regaining;
    },
  };
}
