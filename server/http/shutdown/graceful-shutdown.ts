/**
 * Stops within a deadline: requests in flight end, then every socket is closed. Node's own close waits even for silent
 * sockets. A drain comes first: a proxy must drop its keep-alive connections, or it sends a request on one just closed.
 */
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fp from 'fastify-plugin';
import { acceptWaiting } from './accept-waiting.ts';
import { createInFlight } from './in-flight.ts';

export type Shutdown = {
  isStopping(): boolean;
  /**
   * Accepts no new connections, and closes each open one with its next response. Resolves when a stop cuts nobody: no
   * connection is left, or the grace period is over and nothing is in flight.
   * @param isStop counts against the deadline of the stop; otherwise a drain may take minutes
   */
  drain(isStop?: boolean): Promise<void>;
  /** Runs `stop` once, when a stop begins and before requests in flight end: for background work. */
  onStop(stop: () => void): void;
  /** A named onClose hook: a stop reports its name if it does not end in time (stopping.ts). */
  onClose(name: string, close: () => unknown): void;
  /** What a stop currently waits for. */
  waitingFor(): string[];
};

declare module 'fastify' {
  interface FastifyInstance {
    shutdown: Shutdown;
  }
}

/** Milliseconds to accept waiting connections, for clients to send a request on an open one, and for requests in flight. */
export const defaultDrain = { accepting: 250, grace: 1_000, timeout: 300_000 };

/** `deadline`: milliseconds that requests in flight have at a stop. */
type Options = { deadline: number; drain: typeof defaultDrain };

export const gracefulShutdown = fp<Options>(
  async (app, { deadline, drain: { accepting, grace, timeout } }) => {
    const stopCallbacks = new Set<() => void>();
    const closing = new Set<string>();
    const noConnections = new AbortController();
    let draining: Promise<void> | undefined;
    let isClosing = false;
    let remaining = deadline;
    const inFlight = createInFlight(() => {
      if (isClosing) app.server.closeAllConnections();
    });

    app.addHook('onRequest', (_request, { raw }, done) => {
      inFlight.add(raw);
      done();
    });

    function stopBackground(): void {
      for (const stop of stopCallbacks) stop();
      stopCallbacks.clear();
    }

    async function stopListening(): Promise<void> {
      app.server.once('close', () => noConnections.abort());
      await acceptWaiting(app.server, accepting);
      // http.Server.close would cut connections that have not sent a request yet.
      NetServer.prototype.close.call(app.server);
      // Only now: a proxy would replace each connection closed earlier with a new one here.
      inFlight.drain();
    }

    app.decorate('shutdown', {
      isStopping: () => isClosing,

      async drain(isStop = false) {
        const began = performance.now();
        if (isStop) stopBackground();
        draining ??= stopListening();
        await draining;
        const limit = sleep(isStop ? deadline : timeout, undefined, { ref: false });
        await Promise.race([inFlight.untilIdle(grace, noConnections.signal), limit]);
        if (isStop) remaining = Math.max(0, deadline - (performance.now() - began));
      },

      onStop: (stop) => void stopCallbacks.add(stop),

      onClose(name, close) {
        app.addHook('onClose', async () => {
          closing.add(name);
          await close();
          closing.delete(name);
        });
      },

      waitingFor() {
        const count = inFlight.count();
        return [...(count > 0 ? [`${count} requests in flight`] : []), ...closing];
      },
    });

    app.addHook('preClose', async () => {
      isClosing = true;
      stopBackground();
      const timer = setTimeout(() => {
        const count = inFlight.count();
        if (count > 0) app.log.warn({ inFlight: count }, 'cut the requests that did not end in time');
        app.server.closeAllConnections();
      }, remaining);
      timer.unref();
      app.server.once('close', () => clearTimeout(timer));
      // After this turn the server no longer listens, so no socket is added.
      setImmediate(inFlight.check);
    });
  },
  { name: 'graceful-shutdown' },
);
