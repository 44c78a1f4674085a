import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import type { Share } from '../config/share.ts';
import type { Metrics } from './metrics-server.ts';
import { type Monitoring, openMonitoring } from './monitoring.ts';

declare module 'fastify' {
  interface FastifyInstance {
    monitoring: Monitoring;
    /** The content of /metrics; undefined without METRICS_PORT. */
    metrics: Metrics | undefined;
  }
}

/** Registered first, so that its hooks see every request and it closes last. */
export const monitoring = fp<{ config: Config; share: Share }>(
  async (app, { config, share }) => {
    const opened = await openMonitoring({ config, log: app.log, share });
    app.addHook('onClose', opened.close);
    app.decorate('monitoring', opened);
    app.decorate('metrics', opened.metrics);
    await app.register(opened.requests, opened.requestOptions);
  },
  { name: 'monitoring' },
);
