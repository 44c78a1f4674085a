import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify from 'fastify';
import t, { type Test } from 'tap';
import { buildTestApp, listen } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { openSocket } from '../../testing/socket.ts';
import { connections } from './connections.ts';

/** A connection from an address of the loopback network. */
async function openFrom(t: Test, origin: string, localAddress: string): Promise<Socket> {
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function isServed(t: Test, origin: string, localAddress: string): Promise<boolean> {
  const socket = await openFrom(t, origin, localAddress);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write('GET /api/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  return text.startsWith('HTTP/1.1 200');
}

/** A server with no more than these bounds. @returns its origin */
async function bounded(t: Test, max: number, proxies: string[] = []) {
  const app = fastify({ forceCloseConnections: true });
  t.teardown(() => app.close());
  await app.register(connections, { max, proxies });
  app.get('/api/health/live', async () => 'here');
  return { app, origin: await listen(app) };
}

t.test('one address gets half of the connections, so that others are served', async (t) => {
  const { origin } = await bounded(t, 10);
  const silent = await Promise.all(Array.from({ length: 5 }, () => openFrom(t, origin, '127.0.0.1')));
  t.notOk(await isServed(t, origin, '127.0.0.1'));
  t.ok(await isServed(t, origin, '127.0.0.2'));
  const [first] = silent;
  first?.destroy();
  await eventually('the freed connection serves the address', () => isServed(t, origin, '127.0.0.1'));
  t.pass('a place that was given back is used again');
});

t.test('a trusted proxy may hold them all', async (t) => {
  const origin = await listen(await buildTestApp(t, { maxConnections: 10, trustProxy: ['127.0.0.0/29'] }));
  await Promise.all(Array.from({ length: 8 }, () => openFrom(t, origin, '127.0.0.1')));
  t.ok(await isServed(t, origin, '127.0.0.1'));
});

t.test('beyond the maximum an idle connection makes room', async (t) => {
  const { app, origin } = await bounded(t, 2, ['127.0.0.1']);
  // It does not end by itself.
  app.server.keepAliveTimeout = 3_600_000;
  const idle = await openSocket(origin);
  await idle.send('GET /api/health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(idle.socket, 'data');
  await openFrom(t, origin, '127.0.0.1');
  t.notOk(await isServed(t, origin, '127.0.0.1'), 'the one that found no room is closed');
  t.match(await idle.received, /^HTTP\/1\.1 200/, 'and so is the idle one');
  t.ok(await isServed(t, origin, '127.0.0.1'));
});
