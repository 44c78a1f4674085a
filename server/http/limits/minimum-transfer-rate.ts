/**
 * Cuts a client that sends its body too slowly to be honest: silent for `idle`, or below `rate` once `grace` has passed.
 * A long upload over a slow line is fine; a body that drips to hold a socket is not. Nor is a reader who takes no byte of
 * an answer for `patience` milliseconds, and holds it in memory all the while.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fp from 'fastify-plugin';

type Pace = {
  /** Milliseconds without a byte. */
  idle: number;
  /** Milliseconds before the rate counts. */
  grace: number;
  /** Bytes a second, on average since the start. */
  rate: number;
  /** Milliseconds a body may go on once it is answered. */
  afterAnswer: number;
  /** Milliseconds between two looks. */
  interval: number;
};

export const defaultPace: Pace = { idle: 30_000, grace: 60_000, rate: 1024, afterAnswer: 60_000, interval: 5_000 };

function announcesBody(raw: IncomingMessage): boolean {
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
}

function watch(raw: IncomingMessage, pace: Pace, cut: (reason: string) => void): NodeJS.Timeout {
  const started = Date.now();
  const before = raw.socket.bytesRead;
  let seen = before;
  let lastSeen = started;
  const timer = setInterval(() => {
    const now = Date.now();
    if (raw.complete || raw.destroyed) return clearInterval(timer);
    if (raw.socket.bytesRead > seen) {
      seen = raw.socket.bytesRead;
      lastSeen = now;
    }
    const seconds = (now - started) / 1000;
    if (now - lastSeen >= pace.idle) cut('silent');
    else if (now - started >= pace.grace && (seen - before) / seconds < pace.rate) cut('slow');
  }, pace.interval);
  return timer.unref();
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For an answer that is written past the framework: from now on its reader is cut when it takes no byte for too long. */
    cutSlowReader(response: ServerResponse): void;
  }
}

export const minimumTransferRate = fp<{ pace: Pace; patience: number }>(
  async (app, { pace, patience }) => {
    const cutSlowReader = (response: ServerResponse) => {
      // A call without a socket, as tests make them, has nothing to wait for.
      if (response.req.socket instanceof Socket) response.setTimeout(patience, () => response.destroy());
    };
    app.decorate('cutSlowReader', cutSlowReader);
    app.addHook('onSend', async (_request, { raw }) => cutSlowReader(raw));
    app.addHook('onRequest', async (request, reply) => {
      if (!announcesBody(request.raw)) return;
      const timer = watch(request.raw, pace, (reason) => {
        clearInterval(timer);
        request.log.info({ reason }, 'cutting a body that comes too slowly');
        request.raw.destroy();
      });
      request.raw.once('close', () => clearInterval(timer));
      // A body that was answered before its end is read past, so that the client reads the answer; but not without end.
      reply.raw.once('finish', () => {
        if (request.raw.complete) return;
        const enough = setTimeout(() => request.raw.destroy(), pace.afterAnswer).unref();
        request.raw.once('close', () => clearTimeout(enough)).once('end', () => clearTimeout(enough));
      });
    });
  },
  { name: 'minimum-transfer-rate' },
);
