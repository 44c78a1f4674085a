import t from 'tap';
import { buildTestApp, listen } from '../testing/app.ts';
import { openSocket } from '../testing/socket.ts';
import { requestIds } from './request-id.ts';

const made = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const app = await buildTestApp(t, { trustProxy: ['127.0.0.1', '10.0.0.0/8'] });

t.test('the request id of a trusted proxy is used, and any other is ignored', async (t) => {
  const headers = { 'x-request-id': 'edge-1/a:b.c=' };
  const ask = async (remoteAddress: string) =>
    (await app.inject({ url: '/api/health/live', headers, remoteAddress })).headers['x-request-id'];
  t.equal(await ask('10.1.2.3'), 'edge-1/a:b.c=');
  t.equal(await ask('::ffff:10.1.2.3'), 'edge-1/a:b.c=', 'also as an IPv4-mapped address');
  t.match(await ask('192.0.2.1'), made);
  const raw = { headers, socket: { remoteAddress: '127.0.0.1' } };
  t.match(requestIds(undefined)(raw as never), made, 'without TRUST_PROXY, loopback is not trusted');
});

t.test('a long request id, or one with special characters, is replaced', async (t) => {
  for (const id of ['', 'a b', '<script>', '"}', 'é', 'x'.repeat(129)]) {
    const answer = await app.inject({ url: '/api/health/live', headers: { 'x-request-id': id } });
    t.match(answer.headers['x-request-id'], made, id);
  }
});

t.test('refusals carry the request id as a header and not in their JSON', async (t) => {
  const headers = { 'x-request-id': 'abc' };
  for (const url of ['/api/images/', '/api/none', '/i/none', '/%']) {
    const answer = await app.inject({ url, headers });
    t.equal(answer.headers['x-request-id'], 'abc', url);
    t.same(Object.keys(answer.json()).sort(), ['code', 'error', 'message', 'statusCode'], url);
  }
});

t.test('two requests on one connection have different ids', async (t) => {
  const { send, received } = await openSocket(await listen(app));
  const head = 'GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n';
  await send(`${head}\r\n${head}Connection: close\r\n\r\n`);
  const ids = [...(await received).matchAll(/x-request-id: (\S+)/gi)].map(([, id]) => id);
  t.equal(ids.length, 2);
  t.not(ids[0], ids[1]);
});
