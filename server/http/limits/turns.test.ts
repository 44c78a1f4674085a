import { EventEmitter, once } from 'node:events';
import type { RouteOptions } from 'fastify';
import sharp from 'sharp';
import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, listen } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { openSocket } from '../../testing/socket.ts';
import { opened } from '../../testing/tus.ts';
import { createTurns } from './turns.ts';

/** An uncompressed picture, larger than the buffers of a connection. */
const unpacked = sharp({ create: { width: 2400, height: 1800, channels: 3, background: '#888' } })
  .png({ compressionLevel: 0 })
  .toBuffer();

/** Calls of accounts; `over` disconnects the client of a call. */
function calling(limits: { atOnce: number; waiting: number }) {
  const takeTurn = createTurns(limits);
  const begun: string[] = [];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    async call(account: string, name: string) {
      const callbacks: (() => void)[] = [];
      const turn = takeTurn(account, (callback) => callbacks.push(callback));
      const outcome = turn.then(
        () => void begun.push(name),
        (error) => error,
      );
      await settled();
      const over = async () => {
        for (const callback of callbacks) callback();
        await settled();
      };
      const end = async () => {
        (await turn)();
        await settled();
      };
      return { outcome, over, end };
    },
  };
}

t.test('calls beyond the limit of an account wait, and other accounts do not', async (t) => {
  const { call, begun } = calling({ atOnce: 2, waiting: 10 });
  const first = await call('busy', 'first');
  await call('busy', 'second');
  await call('busy', 'third');
  await call('busy', 'fourth');
  t.same(begun, ['first', 'second']);
  await call('other', 'other');
  t.same(begun, ['first', 'second', 'other']);
  await first.over();
  t.same(begun, ['first', 'second', 'other', 'third']);
});

t.test('a turn that ends early and again with its response starts one call', async (t) => {
  const { call, begun } = calling({ atOnce: 1, waiting: 10 });
  const first = await call('busy', 'first');
  await call('busy', 'second');
  await call('busy', 'third');
  await first.end();
  await first.over();
  t.same(begun, ['first', 'second']);
});

t.test('a call beyond the maximum of waiting calls answers 429 with a retry time', async (t) => {
  const { call } = calling({ atOnce: 1, waiting: 1 });
  await call('busy', 'first');
  await call('busy', 'second');
  const refused = await call('busy', 'third');
  t.match(await refused.outcome, { statusCode: 429, retryAfter: Number });
});

t.test('a waiting call whose client disconnects leaves the queue', async (t) => {
  const { call, begun } = calling({ atOnce: 1, waiting: 2 });
  const first = await call('busy', 'first');
  const second = await call('busy', 'second');
  await call('busy', 'third');
  await second.over();
  t.match(await second.outcome, { code: 'CLIENT_GONE' });
  await first.over();
  t.same(begun, ['first', 'third']);
});

t.test('uploads, tus parts, downloads and archives hold no turn while their bytes stream', async (t) => {
  const handled = new EventEmitter();
  const onRoute = (route: RouteOptions) => {
    const { handler, url } = route;
    route.handler = function (...args) {
      const result = handler.apply(this, args);
      handled.emit(url);
      return result;
    };
  };
  const app = await buildTestApp(t, { options: { turns: { atOnce: 1, waiting: 0 }, onRoute } });
  const account = await signIn(app);
  // A response that nobody reads does not end.
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await unpacked }]);
  const piece = await opened(app, account, 1000);
  const origin = await listen(app);
  const head = (line: string, more: string[] = []) =>
    [`${line} HTTP/1.1`, 'host: x', `authorization: ${account.bearer.authorization}`, ...more, '', ''].join('\r\n');
  const form = ['content-type: multipart/form-data; boundary=x', 'content-length: 1000'];
  const part = ['tus-resumable: 1.0.0', 'upload-offset: 0', 'content-length: 1000'];
  const partType = 'content-type: application/offset+octet-stream';
  const sending: [route: string, text: string][] = [
    ['/api/images/upload', head('POST /api/images/upload', form)],
    ['/api/uploads/:id', head(`PATCH ${piece}`, [...part, partType])],
  ];
  const isIdle = async () => (await app.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode;
  for (const [route, text] of sending) {
    const { socket, send } = await openSocket(origin);
    const reached = once(handled, route);
    await send(text);
    await reached;
    t.equal(await isIdle(), 200, route);
    socket.destroy();
  }
  for (const path of [`/api/images/${image?.id}/original`, `/api/images/archive?ids=${image?.id}`]) {
    const asked = once(app.server, 'request');
    const { socket, send } = await openSocket(origin);
    const first = once(socket, 'data').then(() => socket.pause());
    await send(head(`GET ${path}`));
    const [, response] = await asked;
    await first;
    t.equal(await isIdle(), 200, path);
    t.equal(response.closed, false, 'the response is still being sent');
    socket.destroy();
  }
});
