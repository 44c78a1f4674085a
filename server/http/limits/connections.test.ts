import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fastify from 'fastify';
import t, { type Test } from 'tap';
import { buildTestApp, listen } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { linesOf } from '../../testing/log-lines.ts';
import { openSocket } from '../../testing/socket.ts';
import { connections } from './connections.ts';

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

async function bounded(t: Test, max: number, proxies: string[] = []) {
  const app = fastify({ forceCloseConnections: true });
  t.teardown(() => app.close());
  await app.register(connections, { max, proxies });
  app.get('/api/health/live', async () => 'here');
  return { app, origin: await listen(app) };
}

t.test('one address gets half of the connections, and other addresses are served', async (t) => {
  const { origin } = await bounded(t, 10);
  const silent = await Promise.all(Array.from({ length: 5 }, () => openFrom(t, origin, '127.0.0.1')));
  t.notOk(await isServed(t, origin, '127.0.0.1'));
  t.ok(await isServed(t, origin, '127.0.0.2'));
  const [first] = silent;
  first?.destroy();
  await eventually('the freed connection serves the address', () => isServed(t, origin, '127.0.0.1'));
  t.pass('a closed connection frees its slot');
});

t.test('a trusted proxy may hold all connections', async (t) => {
  const origin = await listen(await buildTestApp(t, { maxConnections: 10, trustProxy: ['127.0.0.0/29'] }));
  await Promise.all(Array.from({ length: 8 }, () => openFrom(t, origin, '127.0.0.1')));
  t.ok(await isServed(t, origin, '127.0.0.1'));
});

/** When a server reads a request depends on its Node: the resets come in different turns of the loop. */
async function resetAfter(turns: number, socket: Socket): Promise<void> {
  for (let turn = 0; turn <= turns; turn += 1) await setImmediate();
  socket.resetAndDestroy();
}

t.test('callers behind a proxy that reset their connections cause no error', async (t) => {
  const app = await buildTestApp(t, { trustProxy: ['127.0.0.1'], rateLimit: 'on', logLevel: 'info' });
  const lines = linesOf(app);
  const origin = await listen(app);
  const calls = [
    'POST /api/auth/login',
    'POST /api/auth/register',
    'GET /s/AAAAAAAAAAAAAAAAAAAAAA',
    'GET /c/AAAAAAAAAAAAAAAAAAAAAA/link',
  ];
  for (let round = 0; round < 60; round += 1) {
    const sockets = await Promise.all(calls.map(() => openSocket(origin)));
    for (const [index, { socket }] of sockets.entries()) {
      socket.write(
        `${calls[index]} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.${round}\r\nContent-Length: 0\r\n\r\n`,
      );
      void resetAfter(round % 12, socket);
    }
    await Promise.all(sockets.map(({ received }) => received));
  }
  t.ok(await isServed(t, origin, '127.0.0.1'), 'the server goes on');
  await eventually('the calls have ended', () => lines.filter((line) => line.includes('"answered"')).length > 10);
  t.same(
    lines.filter((line) => /"level":[56]0/.test(line)),
    [],
  );
});

t.test('a connection beyond the maximum is closed together with the idle connections', async (t) => {
  const { app, origin } = await bounded(t, 2, ['127.0.0.1']);
  app.server.keepAliveTimeout = 3_600_000;
  const idle = await openSocket(origin);
  await idle.send('GET /api/health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(idle.socket, 'data');
  await openFrom(t, origin, '127.0.0.1');
  t.notOk(await isServed(t, origin, '127.0.0.1'), 'the connection beyond the maximum is closed');
  t.match(await idle.received, /^HTTP\/1\.1 200/, 'the idle connection is closed');
  t.ok(await isServed(t, origin, '127.0.0.1'));
});
