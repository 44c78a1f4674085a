import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';

const listed = 'https://client.example';

t.test('CORS allows only the listed origins', async (t) => {
  const closed = await buildTestApp(t);
  const open = await buildTestApp(t, { corsOrigin: [listed] });
  const ask = (app: typeof open, origin: string) => app.inject({ url: '/api/health/live', headers: { origin } });
  for (const origin of [
    'https://evil.example',
    'null',
    `${listed}.evil.example`,
    'https://evil-client.example',
    'http://client.example',
  ]) {
    t.notOk((await ask(open, origin)).headers['access-control-allow-origin'], origin);
    t.notOk((await ask(closed, origin)).headers['access-control-allow-origin'], origin);
  }
  const allowed = await ask(open, listed);
  t.match(allowed.headers, {
    'access-control-allow-origin': listed,
    'access-control-allow-credentials': 'true',
    vary: /Origin/,
  });
});

t.test('a listed origin may send the methods and headers of the client', async (t) => {
  const app = await buildTestApp(t, { corsOrigin: [listed] });
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/images/delete/1',
    headers: {
      origin: listed,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization, x-api-key',
    },
  });
  t.equal(preflight.statusCode, 204);
  t.match(preflight.headers, {
    'access-control-allow-methods': /PATCH, DELETE/,
    'access-control-allow-headers': /authorization.*x-api-key/,
    'access-control-allow-credentials': 'true',
  });
  const { bearer } = await signIn(app);
  const refused = await app.inject({
    method: 'DELETE',
    url: '/api/images/delete/1',
    headers: { ...bearer, origin: listed },
  });
  t.equal(refused.statusCode, 404);
  t.equal(refused.headers['access-control-allow-origin'], listed, 'the client can read refusals too');
});

t.test('unknown routes and paths answer with the usual JSON error', async (t) => {
  const app = await buildTestApp(t);
  for (const [method, url, status] of [
    ['GET', '/api/none', 404],
    ['POST', '/api/images/', 404],
    ['GET', '/api/auth/login', 404],
    ['PUT', '/anything', 404],
    ['GET', '/api/%zz', 400],
  ] as const) {
    const answer = await app.inject({ method, url });
    t.equal(answer.statusCode, status, url);
    t.same(Object.keys(answer.json()).sort(), ['code', 'error', 'message', 'statusCode']);
    t.notMatch(answer.body, /node_modules|at .*\.js|select /i);
  }
});
