/**
 * A stop that returns. Node's own close waits for every connected socket, also one that never says a word: here the
 * requests in flight end, then every socket is closed; what is not done within the deadline is cut.
 */
import type { ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fp from 'fastify-plugin';
import { whenOver } from './when-over.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a stop has begun. */
    isStopping(): boolean;
    /**
     * Takes no further connection, and lets go of those there are with their next answers: where others serve in its place,
     * nobody is cut. Resolves when a stop may begin.
     */
    leave(): Promise<void>;
    /** Whether it has begun to leave. */
    isLeaving(): boolean;
    /** A stop waits for the end of this answer. */
    countInFlight(response: ServerResponse): void;
  }
}

/** Milliseconds for whoever has a connection to send a call on it. */
const grace = 1_000;

export const closing = fp<{ deadline: number }>(
  async (app, { deadline }) => {
    let inFlight = 0;
    let isClosing = false;
    let isLeaving = false;
    app.decorate('isStopping', () => isClosing);
    app.decorate('isLeaving', () => isLeaving);
    app.decorate('leave', async () => {
      isLeaving = true;
      // Not its own close, which cuts connections on which nothing has been asked yet.
      NetServer.prototype.close.call(app.server);
      await sleep(grace);
    });

    const closeWhenIdle = () => {
      if (isClosing && inFlight === 0) app.server.closeAllConnections();
    };

    const countInFlight = (response: ServerResponse) => {
      inFlight += 1;
      whenOver(response, () => {
        inFlight -= 1;
        setImmediate(closeWhenIdle);
      });
    };
    app.decorate('countInFlight', countInFlight);
    app.addHook('onRequest', async (_request, { raw }) => {
      countInFlight(raw);
      if (isLeaving) raw.shouldKeepAlive = false;
    });

    app.addHook('preClose', async () => {
      isClosing = true;
      const timer = setTimeout(() => {
        app.log.warn({ inFlight }, 'cutting the requests that did not end in time');
        app.server.closeAllConnections();
      }, deadline);
      timer.unref();
      app.server.once('close', () => clearTimeout(timer));
      // After this turn the server has stopped listening, so no further socket can come.
      setImmediate(closeWhenIdle);
    });
  },
  { name: 'closing' },
);
