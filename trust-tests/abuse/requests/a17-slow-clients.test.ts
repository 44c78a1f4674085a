import { once } from 'node:events';
import { eventually } from '../../../server/testing/eventually.ts';
import { picture } from '../../../server/testing/pictures.ts';
import { openSocket, type RawConnection } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { call } from '../../testing/call.ts';
import { nothingLeft } from '../../testing/left-over.ts';
import { serve } from '../../testing/machine/loopback.ts';

const open = (origin: string, count: number) => Promise.all(Array.from({ length: count }, () => openSocket(origin)));

/** Sends a text every 100 ms until the server closes the connection. */
function drip({ socket, send }: RawConnection, text: string): void {
  const timer = setInterval(() => send(text).catch(() => clearInterval(timer)), 100);
  socket.once('close', () => clearInterval(timer));
}

abuse('A17', 'slow and silent clients are disconnected, and others are served meanwhile', async (t) => {
  const at = await serve(t, {
    options: { pace: { idle: 2000, grace: 3000, rate: 1024, afterAnswer: 2000, interval: 200 } },
  });
  // The default is twenty seconds (server/http/server-options.test.ts); Node checks it every five seconds.
  at.app.server.headersTimeout = 2000;
  const account = await newAccount(at.origin);
  const [image] = await store(at.origin, account, [{ name: 'a.png', bytes: await picture() }]);

  const silent = await open(at.origin, 1000);
  const halfHeaders = await open(at.origin, 100);
  for (const connection of halfHeaders) {
    await connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n');
    drip(connection, `X-${Math.random().toString(36).slice(2)}: y\r\n`);
  }
  const head = `POST /api/images/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9999999\r\n\r\n--x\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n`;
  const slowBodies = await open(at.origin, 20);
  for (const connection of slowBodies) {
    await connection.send(head);
    drip(connection, 'x');
  }
  const stalled = await open(at.origin, 20);
  for (const connection of stalled) await connection.send(head);

  const all = [...silent, ...halfHeaders, ...slowBodies, ...stalled];
  let cut = 0;
  const ends = all.map(async ({ received }) => {
    const answer = await received;
    cut += 1;
    return answer;
  });
  let served = 0;
  while (cut < all.length || served === 0) {
    for (const path of ['/api/health/live', '/api/health/ready', pathOf(image?.url), '/login']) {
      const { status } = await call(at.origin, path);
      if (status !== 200) t.fail(`${path}: ${status}`);
      served += 1;
    }
    const listed = await call(at.origin, '/api/images/', { headers: account.bearer });
    if (listed.status !== 200) t.fail(`the list: ${listed.status}`);
  }
  t.ok(served > 0, `${served} calls were answered while ${all.length} slow connections were open`);
  for (const answer of await Promise.all(ends)) if (!/^(?:$|HTTP\/1\.1 4)/.test(answer)) t.fail(answer.slice(0, 100));
  for (const { received } of [...silent, ...halfHeaders])
    if (!/^(?:$|HTTP\/1\.1 408)/.test(await received)) t.fail('not closed by a header timeout');
  await nothingLeft(t, at, 1);
});

abuse('A17', 'one address gets half of the connections, and those beyond are closed at once', async (t) => {
  const { origin } = await serve(t, { maxConnections: 40 });
  const connections = await open(origin, 60);
  // One address may hold half of the maximum; the others are closed long before any timeout.
  const closed = () => connections.filter(({ socket }) => socket.closed).length;
  await eventually('40 closed connections', () => closed() >= 40);
  t.equal(closed(), 40, 'the 20 connections within the share stay open');
  const status = (await call(origin, '/api/health/live', { from: '127.0.0.99' })).status;
  t.equal(status, 200, 'another address is served');
  for (const { socket } of connections) socket.destroy();
  await Promise.all(connections.map(({ socket }) => (socket.closed ? undefined : once(socket, 'close'))));
});
