import t from 'tap';
import { readConfig } from '../config/read-config.ts';
import { buildTestApp } from '../testing/app.ts';
import { defaultPace } from './limits/minimum-transfer-rate.ts';
import { serverOptions } from './server-options.ts';

/** Whether a limit in milliseconds is set; 0 turns it off in Node. */
const bounded = (ms: number | undefined, max: number) => ms !== undefined && ms > 0 && ms <= max;

const app = await buildTestApp(t);

t.test('the running server has timeouts for headers, requests and idle connections', async (t) => {
  const { server } = app;
  t.equal(server.headersTimeout, 20_000);
  t.equal(server.requestTimeout, 2 * 3_600_000);
  t.equal(server.keepAliveTimeout, 72_000);
  t.ok(
    bounded(serverOptions(readConfig({}), String).http.connectionsCheckingInterval, server.headersTimeout),
    'checking interval',
  );
});

t.test('a body is cut after 30 s without data, or below 1 kB/s after a minute', async (t) => {
  t.same(defaultPace, { idle: 30_000, grace: 60_000, rate: 1024, afterAnswer: 60_000, interval: 5_000 });
  for (const [name, ms] of Object.entries(defaultPace)) t.ok(bounded(ms, 60_000), name);
});

t.test('request bodies and connections are limited', async (t) => {
  t.equal(app.initialConfig.bodyLimit, 64 * 1024);
  t.ok(bounded(app.server.maxConnections, 100_000));
});
