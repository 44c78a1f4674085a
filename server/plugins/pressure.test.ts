import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { buildTestApp } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';

const statusOf = async (app: FastifyInstance, url: string) => (await app.inject(url)).statusCode;

t.test('past a limit of memory every call is refused, and told when to come again', async (t) => {
  for (const pressure of [{ rss: 1 }, { heap: 1 }]) {
    const app = await buildTestApp(t, { options: { pressure }, corsOrigin: ['https://a.example'] });
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
    t.equal(answer.headers['access-control-allow-origin'], 'https://a.example', 'a listed client can read it');
  }
});

t.test('a busy server says that it lives, lest it be killed for being busy', async (t) => {
  const app = await buildTestApp(t, { options: { pressure: { rss: 1 } } });
  await eventually('the server is not ready', async () => (await statusOf(app, '/api/health/ready')) === 503);
  for (const url of ['/api/health/live', '/api/health/live/', '/api/health/live?now']) {
    t.equal(await statusOf(app, url), 200, url);
  }
  t.equal(await statusOf(app, '/api/health/self'), 503, 'but has no room');
});

t.test('an event loop that is held up refuses until it is free again', async (t) => {
  const app = await buildTestApp(t, { options: { pressure: { eventLoopDelay: 200 } } });
  const block = setInterval(() => {
    const end = performance.now() + 400;
    while (performance.now() < end);
  }, 1);
  // Readiness is no witness: with the loop held up, the database seems not to answer.
  await eventually('a blocked event loop answers 503', async () => (await statusOf(app, '/api/none')) === 503);
  clearInterval(block);
  await eventually('a free event loop answers 404', async () => (await statusOf(app, '/api/none')) === 404);
  t.pass();
});
