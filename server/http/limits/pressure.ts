/**
 * Back-pressure: a server that is past its limits says so at once (503 with Retry-After), before it reads a body, instead
 * of growing slower for everybody until it falls.
 */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { serverBusy } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether calls are taken now: not past a limit, and not while a stop is under way. */
    hasRoom(): boolean;
  }
}

export type PressureLimits = {
  /** Milliseconds that turns of the event loop come late, on average between two looks, at two looks running. */
  eventLoopDelay: number;
  /** Bytes of the process in memory. */
  rss: number;
  /** Bytes of JavaScript's heap. */
  heap: number;
  /** Milliseconds between two looks. */
  interval: number;
};

const megabyte = 2 ** 20;

/** The container's limit where there is one (cgroup), else the machine's memory. */
function availableMemory(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Pictures are decoded in processes with bounds of their own; this process needs 100 to 250 MB whatever the collection.
 * So most of the memory taken by it alone means that something is wrong; below 400 MB the kernel has the last word, since
 * a small machine must not refuse for ever what it can just do. The heap is the part that aborts the process when full.
 */
export const defaultPressure = (processes = 1): PressureLimits => ({
  eventLoopDelay: 1000,
  rss: Math.max(400 * megabyte, (0.7 * availableMemory()) / processes),
  heap: 0.9 * getHeapStatistics().heap_size_limit,
  interval: 1000,
});

/** Asked by supervisors, which restart what does not answer: a busy server must not be killed for being busy. */
const isLiveness = ({ url }: FastifyRequest) => /^\/api\/health\/live\/?(?:\?|$)/.test(url);

export const pressure = fp<{ limits: PressureLimits }>(
  async (app, { limits }) => {
    await app.register(underPressure, {
      maxRssBytes: limits.rss,
      maxHeapUsedBytes: limits.heap,
      sampleInterval: limits.interval,
      pressureHandler: async (request, _reply, reason, value) => {
        if (isLiveness(request)) return;
        request.log.warn({ reason, value }, 'refusing a call under pressure');
        throw serverBusy(10);
      },
    });
    // One look may find a start, or a machine that was asleep; and a turn longer than the interval is told as Infinity.
    let lateLooks = 0;
    const timer = setInterval(() => {
      const isLate = app.memoryUsage().eventLoopDelay > limits.eventLoopDelay;
      lateLooks = isLate ? lateLooks + 1 : 0;
      if (lateLooks === 2) app.log.warn('refusing calls: the event loop comes too late');
    }, limits.interval).unref();
    app.addHook('onClose', async () => clearInterval(timer));
    app.decorate('hasRoom', () => lateLooks < 2 && !app.isStopping() && !app.isDraining() && !app.isUnderPressure());
    app.addHook('onRequest', async (request) => {
      if (lateLooks >= 2 && !isLiveness(request)) throw serverBusy(10);
      if (app.isStopping() && !isLiveness(request)) throw serverBusy(5);
    });
  },
  { name: 'pressure', dependencies: ['graceful-shutdown', 'response-headers'] },
);
