/** A separate server for Prometheus, so that metrics are not public and not refused under pressure. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/reading.ts';

/** Returns text in the Prometheus format, and its Content-Type. */
export type Metrics = () => Promise<{ type: string; text: string }>;

type Log = { info(details: object, message: string): void; warn(details: object, message: string): void };
type Endpoint = Pick<Config, 'metricsPort' | 'metricsHost'>;

async function answer(request: IncomingMessage, response: ServerResponse, metrics: Metrics, log: Log): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || request.url?.split('?')[0] !== '/metrics') {
    response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain' }).end('Only GET /metrics.\n');
    return;
  }
  try {
    const { type, text } = await metrics();
    const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    response.writeHead(200, headers).end(text);
  } catch (err) {
    log.warn({ err }, 'the metrics could not be put together');
    response.writeHead(503, { 'content-type': 'text/plain' }).end('The metrics could not be put together.\n');
  }
}

/** Serves METRICS_PORT, if it is set, until the process ends. @throws ConfigError if the port cannot be used */
export async function serveMetrics(endpoint: Endpoint, metrics: Metrics, log: Log): Promise<void> {
  const { metricsPort: port, metricsHost: host } = endpoint;
  if (port === undefined) return;
  const server = createServer((request, response) => void answer(request, response, metrics, log));
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'something else uses it' : error.code;
    throw new ConfigError(`METRICS_HOST ${host} and METRICS_PORT ${port} cannot be listened on (${why})`);
  });
  server.unref();
  const { address, port: taken } = server.address() as AddressInfo;
  log.info(
    { address, port: taken },
    `metrics at http://${address.includes(':') ? `[${address}]` : address}:${taken}/metrics`,
  );
}
