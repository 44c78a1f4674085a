import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { openSocket } from '../testing/socket.ts';

/** Stores a picture. @returns a function that lists it with raw request lines and returns its link's origin, or the status line */
async function listing(app: FastifyInstance) {
  const origin = await listen(app);
  const account = await signIn(app);
  await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);

  return async function list(target: string, ...lines: string[]): Promise<string> {
    const { send, received } = await openSocket(origin);
    const head = [`GET ${target} HTTP/1.1`, ...lines, `Authorization: ${account.bearer.authorization}`];
    await send(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    const answer = await received;
    const [, link] = /"url":"(.*?)\/i\//.exec(answer) ?? [];
    return link ?? answer.split('\r\n')[0] ?? '';
  };
}

const direct = await buildTestApp(t);
const proxied = await buildTestApp(t, { trustProxy: ['127.0.0.0/8'] });
const list = await listing(direct);

const path = '/api/images/';
const refused = 'HTTP/1.1 400 Bad Request';

t.test('links use the host of the request', async (t) => {
  t.equal(await list(path, 'Host: img.example.com:8080'), 'http://img.example.com:8080');
  t.equal(await list(path, 'Host: [::1]:3000'), 'http://[::1]:3000');
});

t.test('links use PUBLIC_URL, whatever the host of the request', async (t) => {
  const list = await listing(
    await buildTestApp(t, { publicUrl: 'https://img.example.com', trustProxy: ['127.0.0.1'] }),
  );
  t.equal(await list(path, 'Host: evil.example'), 'https://img.example.com');
  t.equal(await list(path, 'Host: a.example', 'X-Forwarded-Host: evil.example'), 'https://img.example.com');
});

t.test('a missing, invalid or repeated Host header answers 400', async (t) => {
  for (const lines of [
    [],
    ['Host:'],
    ['Host: evil.example/path'],
    ['Host: user@evil.example'],
    ['Host: evil.example"><script>'],
    ['Host: evil.example:80:80'],
    ['Host: a.example, evil.example'],
    ['Host: a.example', 'Host: evil.example'],
    ['Host: a.example', 'Host: a.example'],
    ['Host: ex\u00e4mple.com'],
  ]) {
    t.equal(await list(path, ...lines), refused, lines.join(' and '));
  }
});

t.test('an absolute request target is read as its path and must match the Host header', async (t) => {
  t.equal(await list(`http://a.example:81${path}`, 'Host: a.example:81'), 'http://a.example:81');
  t.equal(await list(`http://evil.example${path}`, 'Host: a.example'), refused);
  t.equal(await list(`http://user@a.example${path}`, 'Host: a.example'), refused);
  t.match(await list('http://a.example?x=/api/images/', 'Host: a.example'), /^HTTP/, 'its query is not a path');
});

t.test('without TRUST_PROXY forwarded headers are ignored', async (t) => {
  const forwarded = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https', 'Forwarded: host=evil.example'];
  t.equal(await list(path, 'Host: a.example', ...forwarded), 'http://a.example');
});

t.test('forwarded host and protocol of a trusted proxy are used', async (t) => {
  const list = await listing(proxied);
  const https = 'X-Forwarded-Proto: https';
  t.equal(await list(path, 'Host: a.example', https), 'https://a.example');
  t.equal(await list(path, 'Host: inside', https, 'X-Forwarded-Host: a.example'), 'https://a.example');
  t.equal(await list(path, 'Host: inside', 'X-Forwarded-Host: evil.example, a.example'), 'http://a.example');
  t.equal(await list(path, 'Host: inside', 'X-Forwarded-Host: evil.example/x'), refused);
  t.equal(await list(path, 'Host: inside', 'X-Forwarded-Proto: javascript'), refused);
});

t.test('forwarded headers of an untrusted peer are ignored', async (t) => {
  const list = await listing(await buildTestApp(t, { trustProxy: ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32'] }));
  const forwarded = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'];
  t.equal(await list(path, 'Host: a.example', ...forwarded), 'http://a.example');
});

async function loginOver(app: FastifyInstance, proto: string) {
  const { email, password } = await signIn(app);
  return app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password },
    headers: { 'x-forwarded-proto': proto },
  });
}

t.test('https at the trusted proxy makes the cookie Secure and adds HSTS', async (t) => {
  const secure = await loginOver(proxied, 'https');
  t.match(secure.cookies[0], { name: '__Host-session', secure: true, httpOnly: true, path: '/' });
  t.match(secure.headers['strict-transport-security'], /^max-age=31536000/);
  const plain = await loginOver(proxied, 'http');
  t.match(plain.cookies[0], { name: 'session' });
  t.notOk(plain.headers['strict-transport-security']);
  const spoofed = await loginOver(direct, 'https');
  t.match(spoofed.cookies[0], { name: 'session' });
  t.notOk(spoofed.headers['strict-transport-security']);
});
