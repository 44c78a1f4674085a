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
     * in flight any more.
     * @param isStop it has the time of a stop, which has so much less then; without it, minutes
     */
    leave(isStop?: boolean): Promise<void>;
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
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** Milliseconds between two turns of the loop that are quick, and for which one is waited. */
const quick = 0.2;
const longest = 250;

/**
 * Connections that the system has made and nobody has taken yet are cut when a server stops listening, and an upload that a proxy
 * has begun to send on one is answered 502. All are taken once a turn: so this waits for one that is over at once.
 */
async function takeAll(): Promise<void> {
  const began = performance.now();
  let last = began;
  for (let now = await nextTurn(); now - last > quick && now - began < longest; now = await nextTurn()) last = now;
}

/** @returns when it came, in milliseconds */
const nextTurn = () => turn(undefined).then(() => performance.now());

export const closing = fp<Options>(
  async (app, { deadline, leaving: { grace, patience } }) => {
    const inFlight = new Set<ServerResponse>();
    let onIdle = () => {};
    let letting: Promise<void> | undefined;
    const gone = new AbortController();
    /** When an answer ended last whose caller was not told that the connection ends: it may send a call on it yet. */
    let keptAt = Number.NEGATIVE_INFINITY;
    let isClosing = false;
    let isLeaving = false;
    let left = deadline;
    app.decorate('isStopping', () => isClosing);
    app.decorate('isLeaving', () => isLeaving);

    async function letAllGo(): Promise<void> {
      app.server.once('close', () => gone.abort());
      await takeAll();
      // Not its own close, which cuts connections on which nothing has been asked yet.
      NetServer.prototype.close.call(app.server);
      // Not before: for each connection that ends, a proxy would make another one here.
      isLeaving = true;
      for (const response of inFlight) letGo(response);
      keptAt = performance.now();
    }

    /** Nothing is in flight, and whoever has a connection has had his moment. */
    async function untilIdle(): Promise<void> {
      for (;;) {
        await new Promise<void>((resolve) => {
          onIdle = resolve;
          lookWhetherIdle();
        });
        const rest = keptAt + grace - performance.now();
        if (rest <= 0 || gone.signal.aborted) return;
        await sleep(rest, undefined, { signal: gone.signal }).catch(() => undefined);
      }
    }

    app.decorate('leave', async (isStop = false) => {
      const began = performance.now();
      letting ??= letAllGo();
      await letting;
      await Promise.race([untilIdle(), sleep(isStop ? deadline : patience, undefined, { ref: false })]);
      if (isStop) left = Math.max(0, deadline - (performance.now() - began));
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
        if (isLeaving && response.shouldKeepAlive) keptAt = performance.now();
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
