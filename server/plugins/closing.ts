/**
 * A stop that returns. Node's own close waits for every connected socket, also one that never says a word: here the
 * requests in flight end, then every socket is closed; what is not done within the deadline is cut.
 */
import type { ServerResponse } from 'node:http';
import fp from 'fastify-plugin';
import { whenOver } from './when-over.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a stop has begun. */
    isStopping(): boolean;
    /** A stop waits for the end of this answer. */
    countInFlight(response: ServerResponse): void;
  }
}

export const closing = fp<{ deadline: number }>(
  async (app, { deadline }) => {
    let inFlight = 0;
    let isClosing = false;
    app.decorate('isStopping', () => isClosing);

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
    app.addHook('onRequest', async (_request, { raw }) => countInFlight(raw));

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
