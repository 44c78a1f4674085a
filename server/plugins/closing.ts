/**
 * A stop that returns. Node's own close waits for every connected socket, also one that never says a word: here the
 * requests in flight end, then every socket is closed; what is not done within the deadline is cut. A proxy keeps
 * connections for its next calls: it is made to let go of them first, or it would send a call on one that is just closed.
 */
import type { ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import fp from 'fastify-plugin';
import { whenOver } from './when-over.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a stop has begun. */
    isStopping(): boolean;
    /**
     * Takes no further connection, and lets go of those there are with their next answers: where others serve in its place,
     * nobody is cut. Resolves when a stop may begin: once no connection is left, or after a moment, and then when nothing is
     * in flight any more. The moment counts as time of the stop.
     * @param patience milliseconds for what is in flight; without it, minutes
     */
    leave(patience?: number): Promise<void>;
    /** Whether it has begun to leave. */
    isLeaving(): boolean;
    /** A stop waits for the end of this answer. */
    countInFlight(response: ServerResponse): void;
  }
}

/** Milliseconds for whoever has a connection to send a call on it, and then for what is in flight. */
export const usualLeaving = { grace: 1_000, patience: 300_000 };

/** `deadline`: milliseconds that what is in flight has at a stop. */
type Options = { deadline: number; leaving: typeof usualLeaving };

/** Its connection ends with this answer, and the caller is told so, unless its headers are on their way. */
function letGo(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

export const closing = fp<Options>(
  async (app, { deadline, leaving: { grace, patience: usual } }) => {
    const inFlight = new Set<ServerResponse>();
    let onIdle = () => {};
    let letting: Promise<void> | undefined;
    let isClosing = false;
    let isLeaving = false;
    let left = deadline;
    app.decorate('isStopping', () => isClosing);
    app.decorate('isLeaving', () => isLeaving);

    async function letAllGo(): Promise<void> {
      isLeaving = true;
      const began = performance.now();
      for (const response of inFlight) letGo(response);
      const gone = new AbortController();
      app.server.once('close', () => gone.abort());
      // Connections that the system has made and nobody has taken yet would be cut: those are taken first.
      await turn();
      await turn();
      // Not its own close, which cuts connections on which nothing has been asked yet.
      NetServer.prototype.close.call(app.server);
      await sleep(Math.min(grace, deadline), undefined, { signal: gone.signal }).catch(() => undefined);
      left = Math.max(0, deadline - (performance.now() - began));
    }

    app.decorate('leave', async (patience = usual) => {
      letting ??= letAllGo();
      await letting;
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      lookWhetherIdle();
      await Promise.race([idle, sleep(patience, undefined, { ref: false })]);
    });

    const lookWhetherIdle = () => {
      if (inFlight.size > 0) return;
      onIdle();
      if (isClosing) app.server.closeAllConnections();
    };

    const countInFlight = (response: ServerResponse) => {
      inFlight.add(response);
      if (isLeaving) letGo(response);
      whenOver(response, () => {
        inFlight.delete(response);
        setImmediate(lookWhetherIdle);
      });
    };
    app.decorate('countInFlight', countInFlight);
    app.addHook('onRequest', async (_request, { raw }) => countInFlight(raw));

    app.addHook('preClose', async () => {
      isClosing = true;
      const timer = setTimeout(() => {
        app.log.warn({ inFlight: inFlight.size }, 'cutting the requests that did not end in time');
        app.server.closeAllConnections();
      }, left);
      timer.unref();
      app.server.once('close', () => clearTimeout(timer));
      // After this turn the server has stopped listening, so no further socket can come.
      setImmediate(lookWhetherIdle);
    });
  },
  { name: 'closing' },
);
