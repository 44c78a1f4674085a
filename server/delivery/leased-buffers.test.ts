/** What slow readers of a hot answer hold. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { openSocket } from '../testing/socket.ts';
import { createHotLinks } from './hot-links.ts';

// More than the system takes from one who reads nothing.
const size = 2 ** 24;

async function serve(t: Test) {
  const kept = { bytes: Buffer.alloc(size, 7), etag: '"a"', contentType: 'image/webp' };
  const seen = { unfinished: 0, others: 0 };
  const hot = createHotLinks({
    links: { rendition: () => kept },
    hasRoom: () => true,
    keepAlive: 5_000,
    behindProxy: false,
    log: undefined,
    onUnfinished() {
      seen.unfinished += 1;
    },
  });
  const server = createServer((request, response) => {
    if (hot.answer(request, response)) return;
    seen.others += 1;
    const headers = { 'content-length': String(size) };
    response.writeHead(200, headers).end(kept.bytes);
    hot.learn(kept, { status: 200, headers, route: '/i/:name' }, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  t.teardown(() => server.closeAllConnections());
  return { kept, seen, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

for (const [word, leave] of [
  ['has read it', 'resume'],
  ['has gone', 'destroy'],
] as const) {
  t.test(`bytes that a slow reader holds are not copied, and are hot again once he ${word}`, async (t) => {
    const { kept, seen, origin } = await serve(t);
    const read = async () => (await (await fetch(`${origin}/i/a`)).arrayBuffer()).byteLength;
    t.equal(await read(), size);
    t.equal(seen.others, 1);
    const { buffer } = kept.bytes;
    const slow = await openSocket(origin);
    slow.socket.pause();
    const before = seen.unfinished;
    await slow.send('GET /i/a HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await eventually('the slow answer has begun', () => seen.unfinished > before);
    t.equal(await read(), size);
    t.equal(seen.others, 2, 'meanwhile others are answered in the usual way');
    t.equal(kept.bytes.buffer, buffer, 'from the same bytes');
    slow.socket[leave]();
    await eventually('the slow answer returns the bytes', async () => {
      seen.others = 0;
      await read();
      return seen.others === 0;
    });
    t.equal(kept.bytes.buffer, buffer);
    slow.socket.destroy();
  });
}
