/** Cuts clients that hold a socket with a slow body, or that read no byte of a response and so keep it in memory. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

type Pace = {
  /** Milliseconds without a byte. */
  idle: number;
  /** Milliseconds before the rate counts. */
  grace: number;
  /** Bytes a second, on average since the start. */
  rate: number;
  /** Milliseconds that a body may continue after its response. */
  afterAnswer: number;
  /** Milliseconds between two checks. */
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
    /** Cuts the client if it reads no byte for too long; for responses written outside the framework. */
    cutSlowReader(response: ServerResponse): void;
  }
}

export const minimumTransferRate = fp<{ pace: Pace; readTimeout: number }>(
  async (app, { pace, readTimeout }) => {
    const cutSlowReader = (response: ServerResponse) => {
      // Injected requests of tests have no socket.
      if (response.req.socket instanceof Socket) response.setTimeout(readTimeout, () => response.destroy());
    };
    app.decorate('cutSlowReader', cutSlowReader);
    app.addHook('onSend', (_request, { raw }, _payload, done) => {
      // Most responses are with the kernel in the same tick.
      process.nextTick(() => {
        if (!raw.writableFinished) cutSlowReader(raw);
      });
      done();
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (announcesBody(request.raw)) watchBody(request, reply.raw);
      done();
    });

    function watchBody({ raw, log }: FastifyRequest, response: ServerResponse): void {
      const timer = watch(raw, pace, (reason) => {
        clearInterval(timer);
        log.info({ reason }, 'cut a request body below the minimum transfer rate');
        raw.destroy();
      });
      raw.once('close', () => clearInterval(timer));
      // The rest of an answered body is read for a while, so that the client reads the response.
      response.once('finish', () => {
        if (raw.complete) return;
        const timeout = setTimeout(() => raw.destroy(), pace.afterAnswer).unref();
        raw.once('close', () => clearTimeout(timeout)).once('end', () => clearTimeout(timeout));
      });
    }
  },
  { name: 'minimum-transfer-rate' },
);
