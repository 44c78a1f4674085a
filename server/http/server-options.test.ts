import t from 'tap';
import { readConfig } from '../config/read-config.ts';
import { buildTestApp } from '../testing/app.ts';
import { defaultPace } from './limits/minimum-transfer-rate.ts';
import { serverOptions } from './server-options.ts';

/** Milliseconds; none of them is switched off, which for Node is 0. */
const bounded = (ms: number | undefined, most: number) => ms !== undefined && ms > 0 && ms <= most;

const app = await buildTestApp(t);

t.test('what is slow or silent is bounded in time, in the values that the server really runs with', async (t) => {
  const { server } = app;
  t.equal(server.headersTimeout, 20_000);
  t.equal(server.requestTimeout, 2 * 3_600_000);
  t.equal(server.keepAliveTimeout, 72_000);
  t.ok(
    bounded(serverOptions(readConfig({}), String).http.connectionsCheckingInterval, server.headersTimeout),
    'looked at',
  );
});

t.test('a body is cut after half a minute of silence, or below a kilobyte a second after a minute', async (t) => {
  t.same(defaultPace, { idle: 30_000, grace: 60_000, rate: 1024, afterAnswer: 60_000, interval: 5_000 });
  for (const [name, ms] of Object.entries(defaultPace)) t.ok(bounded(ms, 60_000), name);
});

t.test('a body of a call has a bound, and connections have one', async (t) => {
  t.equal(app.initialConfig.bodyLimit, 64 * 1024);
  t.ok(bounded(app.server.maxConnections, 100_000));
});
