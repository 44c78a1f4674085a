/**
 * Stops within a deadline: requests in flight end, then every socket is closed. Node's own close waits even for silent
 * sockets. A drain comes first: a proxy must drop its keep-alive connections, or it sends a request on one just closed.
 */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import fp from 'fastify-plugin';
import { onResponseEnd } from './on-response-end.ts';

declare module 'fastify' {
  interface FastifyInstance {
    isStopping(): boolean;
    /**
     * Accepts no new connections, and closes each open one with its next response. Resolves when a stop cuts nobody: no
     * connection is left, or the grace period is over and nothing is in flight.
     * @param isStop counts against the deadline of the stop; otherwise a drain may take minutes
     */
    drain(isStop?: boolean): Promise<void>;
    isDraining(): boolean;
    /** Runs `end` once, when a stop begins and before requests in flight end: for background work. */
    onStop(end: () => void): void;
    /** A named onClose hook: a stop reports its name if it does not end in time (stopping.ts). */
    onEnd(name: string, end: () => unknown): void;
    /** What a stop currently waits for. */
    ending(): string[];
  }
}

/** Milliseconds to accept waiting connections, for clients to send a request on an open one, and for requests in flight. */
export const defaultDrain = { taking: 250, grace: 1_000, patience: 300_000 };

/** `deadline`: milliseconds that requests in flight have at a stop. */
type Options = { deadline: number; drain: typeof defaultDrain };

/** Closes the connection after this response, unless its headers are already sent. */
function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** Milliseconds of an idle turn of the event loop. */
const quick = 0.2;

/**
 * Accepts the connections in the kernel's queue. They are cut when a server stops listening, and a proxy answers 502.
 * A turn of the event loop accepts one (libuv 1.45): this waits for a short turn that accepts none.
 * @param most milliseconds
 */
async function takeAll(server: Server, most: number): Promise<void> {
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  server.on('connection', count);
  // The current turn may do other work; the next one polls for connections first.
  const began = await nextTurn();
  for (let last = began; last - began < most; ) {
    const before = taken;
    const now = await nextTurn();
    if (taken === before && now - last <= quick) break;
    last = now;
  }
  server.off('connection', count);
}

/** @returns its time in milliseconds */
const nextTurn = () => turn(undefined).then(() => performance.now());

export const gracefulShutdown = fp<Options>(
  async (app, { deadline, drain: { taking, grace, patience } }) => {
    const inFlight = new Set<ServerResponse>();
    const waiting = new Set<() => void>();
    let letting: Promise<void> | undefined;
    const gone = new AbortController();
    /** When a response without connection: close last ended; its client may still send a request. */
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
      // http.Server.close would cut connections that have not sent a request yet.
      NetServer.prototype.close.call(app.server);
      // Only now: a proxy would replace each connection closed earlier with a new one here.
      isDraining = true;
      for (const response of inFlight) closeAfterResponse(response);
      keptAt = performance.now();
    }

    /** Resolves once nothing is in flight and the grace period is over. */
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

    app.addHook('onRequest', (_request, { raw: response }, done) => {
      inFlight.add(response);
      if (isDraining) closeAfterResponse(response);
      onResponseEnd(response, () => {
        inFlight.delete(response);
        if (isDraining && response.shouldKeepAlive) keptAt = performance.now();
        if (waiting.size > 0 || isClosing) setImmediate(lookWhetherIdle);
      });
      done();
    });

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
      // After this turn the server no longer listens, so no socket is added.
      setImmediate(lookWhetherIdle);
    });
  },
  { name: 'graceful-shutdown' },
);
