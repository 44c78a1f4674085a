import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onResponseEnd } from '../on-response-end.ts';

/** Closes the connection after this response, unless its headers are already sent. */
function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** Counts responses in flight. @param onEmpty called each time when none is left */
export function createInFlight(onEmpty: () => void) {
  const responses = new Set<ServerResponse>();
  const waiting = new Set<() => void>();
  let isDraining = false;
  /** When a response without connection: close last ended; its client may still send a request. */
  let keptAt = Number.NEGATIVE_INFINITY;

  function check(): void {
    if (responses.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
    onEmpty();
  }

  return {
    count: (): number => responses.size,

    add(response: ServerResponse): void {
      responses.add(response);
      if (isDraining) closeAfterResponse(response);
      onResponseEnd(response, () => {
        responses.delete(response);
        if (isDraining && response.shouldKeepAlive) keptAt = performance.now();
        if (responses.size === 0) setImmediate(check);
      });
    },

    /** From now on, closes each connection with its next response. */
    drain(): void {
      isDraining = true;
      for (const response of responses) closeAfterResponse(response);
      keptAt = performance.now();
    },

    /** Resolves when nothing is in flight and clients had `grace` milliseconds to send a request on an open connection. */
    async untilIdle(grace: number, noConnections: AbortSignal): Promise<void> {
      for (;;) {
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          check();
        });
        const rest = keptAt + grace - performance.now();
        if (rest <= 0 || noConnections.aborted) return;
        await sleep(rest, undefined, { signal: noConnections }).catch(() => undefined);
      }
    },

    check,
  };
}
