import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen } from '../testing/app.ts';
import { form, storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { openSocket } from '../testing/socket.ts';

const always = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^(?:same|cross)-origin$/,
  'permissions-policy': /camera=\(\)/,
  'referrer-policy': /./,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'x-robots-tag': /noindex/,
};

type Headers = Record<string, unknown>;

const lacking = (headers: Headers) =>
  Object.entries(always)
    .filter(([name, form]) => !form.test(String(headers[name] ?? '')))
    .map(([name]) => name);

const app = await buildTestApp(t, { corsOrigin: ['https://a.example'], publicUrl: 'http://img.example.com' });
const origin = await listen(app);

t.test('every response of every route has the security headers, refusals too', async (t) => {
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const link = new URL(image?.url ?? '').pathname;
  const thumbnail = new URL(image?.thumbnail_url ?? '').pathname;
  const etag = String((await app.inject(link)).headers.etag);
  const { bearer } = account;
  const cases: [number, InjectOptions & { url: string }][] = [
    [200, { url: '/api/health/live' }],
    [200, { url: '/api/health/ready' }],
    [401, { url: '/api/images/' }],
    [200, { url: '/api/images/', headers: bearer }],
    [400, { url: '/api/images/?page=x', headers: bearer }],
    [200, { url: '/api/auth/me', headers: bearer }],
    [400, { method: 'POST', url: '/api/auth/login', payload: {} }],
    [415, { method: 'POST', url: '/api/auth/login', payload: 'x', headers: { 'content-type': 'text/plain' } }],
    [204, { method: 'POST', url: '/api/auth/logout' }],
    [401, { method: 'POST', url: '/api/images/upload' }],
    [404, { method: 'DELETE', url: '/api/images/delete/none', headers: bearer }],
    [
      204,
      {
        method: 'OPTIONS',
        url: '/api/images/',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      },
    ],
    [404, { url: '/api/none' }],
    [404, { method: 'PUT', url: '/anything' }],
    [404, { url: '/i/none' }],
    [400, { url: '/%zz' }],
    [400, { url: '/api/%zz' }],
    [400, { url: '/', headers: { host: 'not a host' } }],
    [200, { url: link }],
    [200, { method: 'HEAD', url: link }],
    [200, { url: thumbnail }],
    [304, { url: link, headers: { 'if-none-match': etag } }],
    [206, { url: link, headers: { range: 'bytes=0-3' } }],
    [416, { url: link, headers: { range: 'bytes=999999-' } }],
    [200, { url: '/login' }],
    [200, { url: '/mark.svg' }],
    [404, { url: '/nowhere' }],
    [404, { url: `/${'x'.repeat(500)}` }],
  ];
  for (const [status, call] of cases) {
    const { method = 'GET', url } = call;
    const answer = await app.inject(call);
    // The client may not be built.
    if (['/login', '/mark.svg'].includes(url) && answer.statusCode === 404) continue;
    t.equal(answer.statusCode, status, `${method} ${url.slice(0, 60)}`);
    t.same(lacking(answer.headers), [], `${status} of ${method} ${url.slice(0, 60)}`);
  }
});

t.test('responses to malformed requests have the security headers', async (t) => {
  const long = 'x'.repeat(20_000);
  for (const [status, bytes] of [
    [400, 'nonsense\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    [400, 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    [400, 'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n'],
    [400, 'GET / HTTP/1.1\r\nHost: a\r\nBad Header: b\r\n\r\n'],
    [400, 'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${long}\r\n\r\n`],
    [404, 'PROPFIND /api/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [404, 'GET /api/ HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nConnection: close\r\n\r\n'],
    [404, 'GET /api/ HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n'],
  ] as const) {
    const { send, socket, received } = await openSocket(origin);
    await send(bytes);
    if (!bytes.includes('close')) socket.end();
    const [head = '', body = ''] = (await received).split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(': ') + 2)]),
    );
    const name = JSON.stringify(bytes.slice(0, 60));
    t.match(first, `HTTP/1.1 ${status}`, name);
    t.same(lacking(headers), [], name);
    t.match(JSON.parse(body), { statusCode: status, code: String, error: String, message: String }, name);
  }
});

t.test('the page policy allows scripts and styles only from the server', async (t) => {
  const policy = String((await app.inject('/login')).headers['content-security-policy']);
  t.match(policy, /(?:^|;)script-src 'self' 'sha256-[\w+/]{43}='(?:;|$)/);
  for (const directive of ["style-src 'self'", "script-src-attr 'none'", "object-src 'none'"]) {
    t.ok(policy.split(';').includes(directive), directive);
  }
  t.ok(policy.includes("require-trusted-types-for 'script'"));
  t.ok(policy.includes('frame-src http: https:;'));
  t.notMatch(policy, /unsafe|\*|upgrade-insecure-requests/);
});

t.test('other sites may embed pictures and nothing else', async (t) => {
  const [image] = await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  const shared = await app.inject(new URL(image?.url ?? '').pathname);
  t.equal(shared.headers['cross-origin-resource-policy'], 'cross-origin');
  t.match(shared.headers['content-security-policy'], /sandbox/);
  for (const url of ['/api/health/live', '/login', '/i/none']) {
    t.equal((await app.inject(url)).headers['cross-origin-resource-policy'], 'same-origin', url);
  }
});

t.test('the permissions policy allows only passkeys, and features that an embedded player needs', async (t) => {
  const policy = String((await app.inject('/login')).headers['permissions-policy']);
  for (const name of ['autoplay', 'fullscreen', 'picture-in-picture', 'encrypted-media']) {
    t.ok(policy.split(', ').includes(`${name}=*`), name);
  }
  for (const name of ['publickey-credentials-create', 'publickey-credentials-get']) t.match(policy, `${name}=(self)`);
  for (const name of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) t.match(policy, `${name}=()`);
});

t.test('every response of the API has Cache-Control: no-store', async (t) => {
  const account = await signIn(app);
  const { bearer, email, password } = account;
  const { headers, payload } = await form([{ name: 'a.png', bytes: await picture() }]);
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
  const stored = await app.inject({
    method: 'POST',
    url: '/api/images/upload',
    headers: { ...headers, ...bearer },
    payload,
  });
  const newcomer = { username: 'newcomer', email: 'newcomer@example.com', password };
  const answers: [number, LightMyRequestResponse][] = [
    [201, stored],
    [201, await app.inject({ method: 'POST', url: '/api/auth/register', payload: newcomer })],
    [200, await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })],
    [200, await app.inject({ url: '/api/auth/me', headers: bearer })],
    [200, await app.inject({ url: '/api/images', headers: bearer })],
    [200, await app.inject({ url: '/api/images/?page=1', headers: bearer })],
    [200, await app.inject({ url: '/api/images/usage', headers: bearer })],
    [200, await app.inject('/api/health/live')],
    [200, await app.inject('/api/health/ready')],
    [204, await app.inject({ method: 'OPTIONS', url: '/api/images/', headers: preflight })],
    [
      204,
      await app.inject({
        method: 'DELETE',
        url: `/api/images/delete/${stored.json().images[0].id}`,
        headers: bearer,
      }),
    ],
    [204, await app.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer })],
    [404, await app.inject('/api/none')],
  ];
  for (const [index, [status, answer]] of answers.entries()) {
    t.equal(answer.statusCode, status, `answer ${index}`);
    t.equal(answer.headers['cache-control'], 'no-store', `answer ${index}: ${status}`);
  }
});

t.test('HSTS is sent only over https, also by refusals before any hook', async (t) => {
  const https = await buildTestApp(t, { publicUrl: 'https://img.example.com' });
  t.match((await https.inject('/api/health/live')).headers['strict-transport-security'], /max-age=31536000/);
  t.notOk((await app.inject('/api/health/live')).headers['strict-transport-security']);
  t.match((await https.inject('/%zz')).headers['strict-transport-security'], /max-age=31536000/);
  for (const [address, isSent] of [
    [await listen(https), true],
    [origin, false],
  ] as const) {
    const { send, received } = await openSocket(address);
    await send('nonsense\r\n\r\n');
    t.equal(/\r\nstrict-transport-security: max-age=31536000\r\n/.test(await received), isSent);
  }
});
