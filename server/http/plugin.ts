import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { errorHandler } from './errors/error-handler.ts';
import { healthRoutes } from './health.ts';
import { host } from './host.ts';
import { connections } from './limits/connections.ts';
import { fairShare } from './limits/fair-share.ts';
import { defaultPace, minimumTransferRate } from './limits/minimum-transfer-rate.ts';
import { defaultPressure, type PressureLimits, pressure } from './limits/pressure.ts';
import { rateLimit } from './limits/rate-limit.ts';
import { cli } from './page/cli.ts';
import { client } from './page/client.ts';
import { openapi } from './page/openapi.ts';
import { requestLog } from './request-log.ts';
import { responseHeaders } from './response-headers.ts';
import { declaredScopes } from './scopes.ts';
import { security } from './security.ts';
import { defaultDrain, gracefulShutdown } from './shutdown/graceful-shutdown.ts';

/** Options for tests. */
export type HttpOptions = {
  /** Milliseconds that requests in flight have to end at a shutdown. */
  stopWithin?: number;
  drain?: Partial<typeof defaultDrain>;
  /** Milliseconds that a client may read no byte of a response. */
  readWithin?: number;
  pace?: typeof defaultPace;
  pressure?: Partial<PressureLimits>;
};

type Options = {
  config: Config;
  /** Client connections of this process. */
  maxConnections: number;
  /** Removes secrets from a logged URL. */
  redact: (url: string) => string;
  options: HttpOptions;
};

/** The hooks that every request passes first, in this order. */
export const http = fp<Options>(
  async (app, { config, maxConnections, redact, options }) => {
    const { stopWithin = 8_000, drain, readWithin = 30_000, pace = defaultPace } = options;
    await app.register(errorHandler);
    await app.register(declaredScopes);
    const logsEach = ['info', 'debug', 'trace'].includes(config.logLevel);
    await app.register(requestLog, { redact, enabled: logsEach });
    await app.register(responseHeaders, { config });
    await app.register(connections, { max: maxConnections, proxies: config.trustProxy ?? [] });
    await app.register(gracefulShutdown, { deadline: stopWithin, drain: { ...defaultDrain, ...drain } });
    await app.register(minimumTransferRate, { pace, readTimeout: readWithin });
    await app.register(host);
    await app.register(security, { config });
    await app.register(pressure, { limits: { ...defaultPressure(config.workers), ...options.pressure } });
    await app.register(healthRoutes, { prefix: '/api/health' });
  },
  { name: 'http', dependencies: ['monitoring'] },
);

type LimitOptions = {
  /** RATE_LIMIT */
  rateLimited: boolean;
  /** Database connections of this process for lists. */
  listConnections: number;
};

/** Limits that need the database. */
export const limits = fp<LimitOptions>(
  async (app, { rateLimited, listConnections }) => {
    await app.register(rateLimit, { enabled: rateLimited });
    await app.register(fairShare, {
      shared: { given: app.database.lists, slots: listConnections - 1 },
      reserved: { given: app.database.reservedForLists, slots: 1 },
    });
  },
  { name: 'limits', dependencies: ['database'] },
);

type PageOptions = {
  /** The built client. */
  folder: string;
  /** The built command line client. */
  cliFile: string;
  /** The built OpenAPI document. */
  openapiFile: string;
};

/** What is built: the page for every path outside the API, the command line client, and the OpenAPI document. */
export const page = fp<PageOptions>(
  async (app, { folder, cliFile, openapiFile }) => {
    await app.register(cli, { file: cliFile });
    await app.register(openapi, { file: openapiFile });
    await app.register(client, { folder });
  },
  { name: 'page' },
);
