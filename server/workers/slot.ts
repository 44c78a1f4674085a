import { setTimeout as sleep } from 'node:timers/promises';
import type { Child, Ended } from './child.ts';
import { createRestartPauses } from './restart-pauses.ts';

type Parts = {
  start: () => Child;
  stopping: AbortSignal;
  say: (line: string) => void;
};

export type Slot = ReturnType<typeof createSlot>;

/** The exit code of a stopped worker. A signal ends one that is still starting, which is no failure. */
export const codeOf = ({ code, signal }: Ended): number => (signal === 'SIGTERM' ? 0 : (code ?? 1));

export function createSlot(first: Child, { start, stopping, say }: Parts) {
  let child = first;
  let notifyReplaced: () => void = () => undefined;
  /** Resolves when another worker takes the slot. */
  let replaced = Promise.resolve();

  function replace(next: Child): void {
    notifyReplaced();
    child = next;
    replaced = new Promise((resolve) => {
      notifyReplaced = resolve;
    });
  }
  replace(first);

  /** Restarts the worker whenever it exits, until the shutdown. @returns the exit code of the last one */
  async function keepAlive(): Promise<number> {
    const pauses = createRestartPauses();
    for (;;) {
      const current = child;
      const isReplaced = () => child !== current;
      const startedAt = Date.now();
      // A replaced worker may take minutes to finish its requests; only its successor is kept alive.
      const end = await Promise.race([current.ended, replaced]);
      if (isReplaced() || !end) {
        pauses.reset();
        continue;
      }
      if (stopping.aborted) return codeOf(end);
      const pause = pauses.next(Date.now() - startedAt);
      const what =
        current.pid === undefined
          ? 'A worker could not be started'
          : `A worker (pid ${current.pid}) exited unexpectedly`;
      say(`${what} (${end.reason}); starting another in ${pause} ms.`);
      await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
      if (isReplaced()) {
        pauses.reset();
        continue;
      }
      if (stopping.aborted) return 0;
      replace(start());
    }
  }

  return { child: (): Child => child, replace, keepAlive };
}
