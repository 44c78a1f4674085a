/** Refuses calls above the limits of memory and event loop delay: 503 with Retry-After, before the body is read. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { serverBusy } from '../../errors.ts';

export type PressureLimits = {
  /** Milliseconds of average event loop delay, exceeded at two consecutive checks. */
  eventLoopDelay: number;
  /** Bytes. */
  rss: number;
  /** Bytes. */
  heap: number;
  /** Milliseconds between two checks. */
  interval: number;
};

const megabyte = 2 ** 20;

/** The cgroup limit of the container in bytes, or the machine's memory. */
function availableMemory(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** This process needs 100 to 250 MB for any collection. 400 MB at least, or a small machine would refuse everything. */
export const defaultPressure = (processes = 1): PressureLimits => ({
  eventLoopDelay: 1000,
  rss: Math.max(400 * megabyte, (0.7 * availableMemory()) / processes),
  heap: 0.9 * getHeapStatistics().heap_size_limit,
  interval: 1000,
});

/** Supervisors restart a server that fails this check, so a busy server must pass it. */
const isLiveness = ({ url }: FastifyRequest) => /^\/api\/health\/live\/?(?:\?|$)/.test(url);

export const pressure = fp<{ limits: PressureLimits }>(
  async (app, { limits }) => {
    await app.register(underPressure, {
      maxRssBytes: limits.rss,
      maxHeapUsedBytes: limits.heap,
      sampleInterval: limits.interval,
      pressureHandler: async (request, _reply, reason, value) => {
        if (isLiveness(request)) return;
        request.log.warn({ reason, value }, 'refused a request under pressure');
        throw serverBusy(10);
      },
    });
    // A single late check may be the start, or a machine that slept. A turn longer than the interval is reported as Infinity.
    let lateLooks = 0;
    const timer = setInterval(() => {
      const isLate = app.memoryUsage().eventLoopDelay > limits.eventLoopDelay;
      lateLooks = isLate ? lateLooks + 1 : 0;
      if (lateLooks === 2) app.log.warn({ reason: 'eventLoopDelay' }, 'began to refuse requests under pressure');
    }, limits.interval).unref();
    app.addHook('onClose', async () => clearInterval(timer));
    app.addHook('onRequest', (request, _reply, done) => {
      const isBusy = lateLooks >= 2 || app.shutdown.isStopping();
      done(isBusy && !isLiveness(request) ? serverBusy(lateLooks >= 2 ? 10 : 5) : undefined);
    });
  },
  { name: 'pressure', dependencies: ['graceful-shutdown', 'response-headers'] },
);
