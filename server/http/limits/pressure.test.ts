import fastify, { type FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { readConfig } from '../../config/read-config.ts';
import { buildTestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { errorHandler } from '../errors/error-handler.ts';
import { responseHeaders } from '../response-headers.ts';
import { defaultDrain, gracefulShutdown } from '../shutdown/graceful-shutdown.ts';
import { defaultPressure, type PressureLimits, pressure } from './pressure.ts';

const statusOf = async (app: FastifyInstance, url: string) => (await app.inject(url)).statusCode;

/** Milliseconds; shorter than the default, to keep the tests fast. */
const interval = 50;

/** A server with only the pressure limits. */
async function smallServer(t: Test, limits: Partial<PressureLimits>) {
  const app = fastify();
  t.teardown(() => app.close());
  await app.register(errorHandler);
  await app.register(responseHeaders, { config: readConfig({}) });
  await app.register(gracefulShutdown, { deadline: 0, drain: defaultDrain });
  await app.register(pressure, { limits: { ...defaultPressure(), interval, ...limits } });
  app.get('/api/health/ready', async () => 'ready');
  return app;
}

const busy = await buildTestApp(t, {
  options: { pressure: { rss: 1, interval } },
  corsOrigin: ['https://a.example'],
});

t.test('above a memory limit every call answers 503 with Retry-After', async (t) => {
  for (const app of [busy, await smallServer(t, { heap: 1 })]) {
    await eventually('the server is not ready', async () => (await statusOf(app, '/api/health/ready')) === 503);
    const answer = await app.inject({ url: '/api/images/', headers: { origin: 'https://a.example' } });
    t.match(answer.json(), {
      statusCode: 503,
      code: 'SERVER_BUSY',
      error: 'Service Unavailable',
      message: /10 seconds/,
    });
    t.equal(answer.headers['retry-after'], '10');
    t.match(answer.headers['content-security-policy'], /default-src 'none'/);
    if (app === busy)
      t.equal(answer.headers['access-control-allow-origin'], 'https://a.example', 'a client can read it');
  }
});

t.test('a busy server answers the liveness check with 200', async (t) => {
  await eventually('the server is not ready', async () => (await statusOf(busy, '/api/health/ready')) === 503);
  for (const url of ['/api/health/live', '/api/health/live/', '/api/health/live?now']) {
    t.equal(await statusOf(busy, url), 200, url);
  }
  t.equal(await statusOf(busy, '/api/health/self'), 503, 'the self check answers 503');
});

t.test('calls answer 503 while the event loop is blocked', async (t) => {
  const app = await smallServer(t, { eventLoopDelay: 100 });
  const block = setInterval(() => {
    const end = performance.now() + 200;
    while (performance.now() < end);
  }, 1);
  await eventually('a blocked event loop answers 503', async () => (await statusOf(app, '/api/none')) === 503);
  clearInterval(block);
  await eventually('a free event loop answers 404', async () => (await statusOf(app, '/api/none')) === 404);
  t.pass();
});
