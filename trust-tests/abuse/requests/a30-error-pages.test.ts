import { randomUUID } from 'node:crypto';
import { picture } from '../../../server/testing/pictures.ts';
import { openSocket } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, send } from '../../testing/account.ts';
import { asJson, type Call, call, noLeak } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A30', 'an error answer has a status, a code and a message, and reveals no internals', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  const png = await picture();
  const calls: [string, Call][] = [
    ['/api/none', {}],
    ['/api/auth/me', {}],
    ['/api/auth/me', { headers: { authorization: 'Bearer x.y.z' } }],
    ['/api/auth/me', { headers: { cookie: 'session=%E0%A4%A' } }],
    ['/api/auth/login', asJson({})],
    ['/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
    ['/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json; charset=utf-7' }, body: '{}' }],
    ['/api/auth/register', asJson({ username: '..', email: 'x', password: 'y' })],
    ['/api/images/?page=x', { headers: account.bearer }],
    ['/api/images/', { headers: { ...account.bearer, host: '"><script>' } }],
    [`/api/images/delete/${randomUUID()}`, { method: 'DELETE', headers: account.bearer }],
    ["/api/images/delete/1'--", { method: 'DELETE', headers: account.bearer }],
    ['/api/images/upload', { method: 'POST', headers: account.bearer }],
    ['/api/images/upload', { method: 'POST', headers: { ...account.bearer, 'content-type': 'multipart/form-data' } }],
    ['/%', {}],
    ['/%zz', {}],
    ['/i/%00.png', {}],
    ['/i/x.png', {}],
    ['/nowhere', { method: 'POST' }],
    ['/', { method: 'PROPFIND' }],
    ['/', { method: 'TRACE' }],
    [`/${'a'.repeat(9000)}`, {}],
    ['/api/none', { headers: { accept: 'text/html' } }],
  ];
  for (const [path, options] of calls) {
    const answer = await call(origin, path, options);
    const about = `${options.method ?? 'GET'} ${path.slice(0, 40)}: ${answer.status}`;
    t.ok(answer.status >= 400 && answer.status < 500, about);
    if (!/json/.test(answer.headers['content-type'] ?? '')) {
      // The 404 page is the same page that everyone gets.
      t.match(answer.body, /<!doctype html>/i, about);
      continue;
    }
    noLeak(t, answer, about);
    const body = JSON.parse(answer.body);
    t.same(Object.keys(body).sort(), ['code', 'error', 'message', 'statusCode'], about);
    t.equal(body.statusCode, answer.status);
    t.equal(answer.headers['cache-control'], 'no-store', about);
  }
  const broken = await send(origin, account, [{ name: 'a.png', bytes: png.subarray(0, 60) }]);
  t.equal(broken.status, 422);
  noLeak(t, broken, 'a damaged picture');
});

abuse('A30', 'a malformed request gets an error in the same form', async (t) => {
  const { origin } = await serve(t);
  for (const text of [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    // Without a Host header; the connection would otherwise stay open.
    'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    '\x16\x03\x01\x02\0\x01\0',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
  ]) {
    const { send: write, received } = await openSocket(origin);
    await write(text);
    const answer = await received;
    t.match(answer, /^HTTP\/1\.1 4\d\d /, JSON.stringify(text.slice(0, 20)));
    t.match(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''), { statusCode: Number(answer.slice(9, 12)), message: /\w/ });
    t.notMatch(answer, /node|fastify|llhttp|HPE_/i);
  }
});

abuse('A30', 'a database failure answers INTERNAL_ERROR without the database’s message', async (t) => {
  const { origin, sql } = await serve(t, { expected: [500, 503] });
  const account = await newAccount(origin);
  const [image] = JSON.parse((await send(origin, account, [{ name: 'a.png', bytes: await picture() }])).body).images;
  await sql('alter table images rename to images_elsewhere');
  for (const [path, options] of [
    ['/api/images/', { headers: account.bearer }],
    [pathOf(image.url), {}],
  ] as [string, Call][]) {
    const answer = await call(origin, path, options);
    t.equal(answer.status, 500);
    t.match(JSON.parse(answer.body), { code: 'INTERNAL_ERROR', message: /The server failed/ });
    noLeak(t, answer, path);
  }
});
