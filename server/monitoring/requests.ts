/** The first hook: counts and traces each request until the end of its response. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { onResponseEnd } from '../http/on-response-end.ts';
import { type Current, current } from './current.ts';
import type { HttpMeter } from './meters/http.ts';
import type { Tracing } from './tracing.ts';

type Options = {
  meter: HttpMeter | undefined;
  tracing: Tracing | undefined;
  /** Whether work knows its request even without tracing. */
  follow: boolean;
};

/** The label of paths without a route, such as the client's pages. */
const noRoute = 'none';

const wasAborted = ({ raw }: FastifyReply) => !raw.writableEnded;

export const requestMonitoring = fp<Options>(
  async (app, { meter, tracing, follow }) => {
    const stores = new WeakMap<FastifyRequest, Current>();

    if (meter) {
      app.addHook('onRequest', (request, reply, done) => {
        const began = performance.now();
        meter.begin();
        onResponseEnd(reply.raw, () => {
          const status = wasAborted(reply) ? undefined : reply.statusCode;
          const route = request.routeOptions.url ?? noRoute;
          meter.end(route, request.method, status, (performance.now() - began) / 1000);
        });
        done();
      });
    }
    if (!tracing && !follow) return;

    function enter(request: FastifyRequest, reply: FastifyReply): Current {
      if (!tracing) return { id: request.id };
      const { store, end } = tracing.enter(request);
      onResponseEnd(reply.raw, () => end(reply, wasAborted(reply)));
      return store;
    }

    app.addHook('onRequest', (request, reply, done) => {
      const store = enter(request, reply);
      stores.set(request, store);
      current.run(store, done);
    });
    // Reading a body leaves the request's async context, so it is entered again.
    app.addHook('preValidation', (request, _reply, done) => {
      const store = stores.get(request);
      if (store) current.run(store, done);
      else done();
    });
  },
  { name: 'request-monitoring' },
);
