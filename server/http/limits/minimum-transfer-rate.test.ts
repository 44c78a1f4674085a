import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import t, { type Test } from 'tap';
import { buildTestApp, listen } from '../../testing/app.ts';
import { openSocket } from '../../testing/socket.ts';
import { type defaultPace, minimumTransferRate } from './minimum-transfer-rate.ts';

const head =
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{';

async function paced(t: Test, pace: typeof defaultPace) {
  const app = fastify({ forceCloseConnections: true });
  t.teardown(() => app.close());
  await app.register(minimumTransferRate, { pace, readTimeout: 30_000 });
  app.post('/api/auth/login', async () => 'here');
  const refuse = async (_request: FastifyRequest, reply: FastifyReply) => reply.code(401).send('refused');
  app.post('/api/images/upload', { onRequest: refuse }, async () => 'here');
  return listen(app);
}

t.test('a request body without data for too long is cut', async (t) => {
  const app = await buildTestApp(t, {
    options: { pace: { idle: 60, grace: 1e6, rate: 1, afterAnswer: 1e6, interval: 10 } },
  });
  const { send, received } = await openSocket(await listen(app));
  await send(head);
  t.equal(await received, '', 'cut without an answer');
});

t.test('a request body below the minimum transfer rate is cut', async (t) => {
  const pace = { idle: 1e6, grace: 60, rate: 1e6, afterAnswer: 1e6, interval: 10 };
  const { send, received } = await openSocket(await paced(t, pace));
  await send(head);
  const drip = setInterval(() => send(' ').catch(() => clearInterval(drip)), 5);
  t.teardown(() => clearInterval(drip));
  t.equal(await received, '', 'cut before the body was whole, without an answer');
});

t.test('a request body that continues after its refusal is cut', async (t) => {
  const pace = { idle: 1e6, grace: 1e6, rate: 1, afterAnswer: 60, interval: 10 };
  const { send, received } = await openSocket(await paced(t, pace));
  await send(
    'POST /api/images/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 99999999999\r\n\r\n',
  );
  const flow = setInterval(() => send('x'.repeat(1000)).catch(() => clearInterval(flow)), 5);
  t.teardown(() => clearInterval(flow));
  t.match(await received, /^HTTP\/1\.1 401/, 'the refusal was answered, then the connection closed');
});
