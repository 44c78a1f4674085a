import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { serve } from '../testing/serve.ts';
import { bodyOf } from './calls.ts';
import { metadataOf } from './resumable.ts';
import { call, retryAfter } from './retries.ts';
import { bytesSource, queryOf, uploadForm } from './upload.ts';

t.test('a call is repeated after a lost connection, and after the time that a busy server names', async (t) => {
  const times: number[] = [];
  const { connection, waits } = await serve(t, async (request, response) => {
    times.push(Date.now());
    if (times.length === 1) return void request.socket.destroy();
    t.equal(await text(request), 'body', 'the body is sent again');
    if (times.length === 2) return void response.writeHead(503, { 'retry-after': '1' }).end();
    if (times.length === 3) return void response.writeHead(502).end('<html>');
    response.end('done');
  });
  const answer = await call(connection, { method: 'POST', path: '/x', body: bodyOf(Buffer.from('body')) });
  t.equal(answer.body, 'done');
  t.ok((times[2] ?? 0) - (times[1] ?? 0) >= 1000, 'Retry-After is honoured');
  t.match(waits, [/^no connection, /, 'the server is busy, trying again in 2 s', /^the server is busy, /]);
});

t.test('a refusal is not repeated', async (t) => {
  let calls = 0;
  const { connection } = await serve(t, (_request, response) => {
    calls += 1;
    response.writeHead(413).end(JSON.stringify({ code: 'QUOTA_EXCEEDED', message: 'Your account is full.' }));
  });
  const refused = call(connection, { method: 'GET', path: '/' });
  await t.rejects(refused, { status: 413, code: 'QUOTA_EXCEEDED', message: 'Your account is full.' });
  t.equal(calls, 1);
});

t.test('another protocol at the port is named at once', async (t) => {
  const { connection, waits } = await serve(t, (_request, response) => response.end());
  const https = { ...connection, address: connection.address.replace('http:', 'https:') };
  const refused = call(https, { method: 'GET', path: '/' });
  await t.rejects(refused, {
    message: `Couldn't reach ${https.address}: this port does not speak https. Try ${connection.address}.`,
  });
  // An alert of TLS, as an https server answers to http.
  const server = createServer((socket) => socket.on('error', () => {}).end('\x15\x03\x03\x00\x02\x02\x28', 'latin1'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await t.rejects(call({ ...connection, address }, { method: 'GET', path: '/' }), /does not speak http\. Try https:/);
  t.same(waits, []);
});

t.test('Retry-After is a number of seconds or a date', (t) => {
  const now = Date.parse('2026-05-01T00:00:00Z');
  t.equal(retryAfter('7', now), 7000);
  t.equal(retryAfter('Fri, 01 May 2026 00:00:30 GMT', now), 30_000);
  t.equal(retryAfter('Thu, 30 Apr 2026 00:00:00 GMT', now), 0);
  t.equal(retryAfter('soon', now), undefined);
  t.equal(retryAfter(undefined, now), undefined);
  t.end();
});

t.test('an upload names its album, its end and its key in the form of each API', async (t) => {
  const wishes = { album: 'a1', expires: '7d' };
  t.equal(queryOf({}), '');
  t.equal(queryOf(wishes), '?album=a1&expires_in=7d');
  const fields = metadataOf('ä.png', 'k', wishes)
    .split(',')
    .map((pair) => pair.split(' '))
    .map(([field, value = '']) => [field, Buffer.from(value, 'base64').toString()]);
  t.same(Object.fromEntries(fields), { filename: 'ä.png', upload_key: 'k', album: 'a1', expires_in: '7d' });
  let url: string | undefined;
  const { connection } = await serve(t, async (request, response) => {
    url = request.url;
    const form = await text(request);
    t.match(form, 'filename="a%22b.png"', 'quotes are escaped');
    response.writeHead(201).end(JSON.stringify({ images: [{ id: request.headers['upload-keys'] }], rejected: [] }));
  });
  t.match(await uploadForm(connection, bytesSource('a"b.png', Buffer.from('x')), 'k', wishes, () => {}), { id: 'k' });
  t.equal(url, '/api/images/upload?album=a1&expires_in=7d');
});
