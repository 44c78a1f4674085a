/**
 * A stop that returns. Node's own close waits for every connected socket, also one that never says a word: here the
 * requests in flight end, then every socket is closed; what is not done within the deadline is cut. A proxy keeps
 * connections for its next calls: it is made to let go of them first, or it would send a call on one that is just closed.
 */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import fp from 'fastify-plugin';
import { onResponseEnd } from './on-response-end.ts';

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
    drain(isStop?: boolean): Promise<void>;
    /** Whether it has begun to leave. */
    isDraining(): boolean;
    /** Called when a stop begins, once: work that nobody waits for ends then, and not behind the requests in flight. */
    onStop(end: () => void): void;
    /** As the hook onClose, under a name: where it does not end in time, the stop reports it (stopping.ts). */
    onEnd(name: string, end: () => unknown): void;
    /** What a stop waits for now. */
    ending(): string[];
    /** A stop waits for the end of this answer. */
    countInFlight(response: ServerResponse): void;
  }
}

/** Milliseconds to take the connections that are there, for whoever has one to send a call on it, and then for what is in flight. */
export const defaultDrain = { taking: 250, grace: 1_000, patience: 300_000 };

/** `deadline`: milliseconds that what is in flight has at a stop. */
type Options = { deadline: number; drain: typeof defaultDrain };

/** Its connection ends with this answer, and the caller is told so, unless its headers are on their way. */
function letGo(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** Milliseconds of a turn of the loop that had nothing to do. */
const quick = 0.2;

/**
 * Connections that the system has made and nobody has taken yet are cut when a server stops listening, and an upload that a proxy
 * has begun to send on one is answered 502. A turn of the loop takes one (libuv, since 1.45): this waits for a turn that took none and is
 * over at once.
 * @param most milliseconds
 */
async function takeAll(server: Server, most: number): Promise<void> {
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  server.on('connection', count);
  // What came with the call to stop is over with this turn; the next one looks for connections first.
  const began = await nextTurn();
  for (let last = began; last - began < most; ) {
    const before = taken;
    const now = await nextTurn();
    if (taken === before && now - last <= quick) break;
    last = now;
  }
  server.off('connection', count);
}

/** @returns when it came, in milliseconds */
const nextTurn = () => turn(undefined).then(() => performance.now());

export const gracefulShutdown = fp<Options>(
  async (app, { deadline, drain: { taking, grace, patience } }) => {
    const inFlight = new Set<ServerResponse>();
    const waiting = new Set<() => void>();
    let letting: Promise<void> | undefined;
    const gone = new AbortController();
    /** When an answer ended last whose caller was not told that the connection ends: it may send a call on it yet. */
    let keptAt = Number.NEGATIVE_INFINITY;
    let isClosing = false;
    let isDraining = false;
    let left = deadline;
    const behind = new Set<() => void>();
    app.decorate('isStopping', () => isClosing);
    app.decorate('isDraining', () => isDraining);
    app.decorate('onStop', (end) => void behind.add(end));
    const ends = new Set<string>();
    app.decorate('onEnd', (name, end) => {
      app.addHook('onClose', async () => {
        ends.add(name);
        await end();
        ends.delete(name);
      });
    });
    app.decorate('ending', () => [...(inFlight.size > 0 ? [`${inFlight.size} requests in flight`] : []), ...ends]);

    function endBehind(): void {
      for (const end of behind) end();
      behind.clear();
    }

    async function letAllGo(): Promise<void> {
      app.server.once('close', () => gone.abort());
      await takeAll(app.server, taking);
      // Not its own close, which cuts connections on which nothing has been asked yet.
      NetServer.prototype.close.call(app.server);
      // Not before: for each connection that ends, a proxy would make another one here.
      isDraining = true;
      for (const response of inFlight) letGo(response);
      keptAt = performance.now();
    }

    /** Nothing is in flight, and whoever has a connection has had his moment. */
    async function untilIdle(): Promise<void> {
      for (;;) {
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          lookWhetherIdle();
        });
        const rest = keptAt + grace - performance.now();
        if (rest <= 0 || gone.signal.aborted) return;
        await sleep(rest, undefined, { signal: gone.signal }).catch(() => undefined);
      }
    }

    app.decorate('drain', async (isStop = false) => {
      const began = performance.now();
      if (isStop) endBehind();
      letting ??= letAllGo();
      await letting;
      await Promise.race([untilIdle(), sleep(isStop ? deadline : patience, undefined, { ref: false })]);
      if (isStop) left = Math.max(0, deadline - (performance.now() - began));
    });

    const lookWhetherIdle = () => {
      if (inFlight.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting.clear();
      if (isClosing) app.server.closeAllConnections();
    };

    const countInFlight = (response: ServerResponse) => {
      inFlight.add(response);
      if (isDraining) letGo(response);
      onResponseEnd(response, () => {
        inFlight.delete(response);
        if (isDraining && response.shouldKeepAlive) keptAt = performance.now();
        setImmediate(lookWhetherIdle);
      });
    };
    app.decorate('countInFlight', countInFlight);
    app.addHook('onRequest', async (_request, { raw }) => countInFlight(raw));

    app.addHook('preClose', async () => {
      isClosing = true;
      endBehind();
      const timer = setTimeout(() => {
        if (inFlight.size > 0)
          app.log.warn({ inFlight: inFlight.size }, 'cutting the requests that did not end in time');
        app.server.closeAllConnections();
      }, left);
      timer.unref();
      app.server.once('close', () => clearTimeout(timer));
      // After this turn the server has stopped listening, so no further socket can come.
      setImmediate(lookWhetherIdle);
    });
  },
  { name: 'graceful-shutdown' },
);
