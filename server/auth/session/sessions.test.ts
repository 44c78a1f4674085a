import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { logIn, signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';

const me = (app: FastifyInstance, headers: Record<string, string>) =>
  app.inject({ method: 'GET', url: '/api/auth/me', headers });

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** The same claims under another header, without a signature. */
function reheaded(token: string, header: object): string {
  const [, claims] = token.split('.');
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}.`;
}

const app = await buildTestApp(t, { corsOrigin: ['https://client.example'] });
const publicUrl = 'https://img.example.com';
/** Another server, with a different secret. */
const stranger = await buildTestApp(t, { corsOrigin: ['https://client.example'], publicUrl });

t.test('a bearer token or a cookie alone authenticates a call', async (t) => {
  const { id, bearer, cookie } = await signIn(app);
  t.equal((await me(app, bearer)).json().user.id, id);
  t.equal((await me(app, { cookie })).json().user.id, id);
  t.equal((await me(app, {})).statusCode, 401);
});

t.test('a token is valid for thirty days', async (t) => {
  const { iat, exp } = claimsOf((await signIn(app)).token);
  t.equal(exp - iat, 30 * 24 * 3600);
});

t.test("a bearer token is refused as a cookie, and a cookie's token as bearer", async (t) => {
  const { token, cookie } = await signIn(app);
  const [name, value] = cookie.split('=');
  t.equal((await me(app, { cookie: `${name}=${token}` })).statusCode, 401);
  t.equal((await me(app, { authorization: `Bearer ${value}` })).statusCode, 401);
});

t.test('an invalid bearer token is refused, even with a valid cookie', async (t) => {
  const { token, cookie } = await signIn(app);
  const forged = [
    '',
    'nonsense',
    token.slice(0, -2),
    `${token.slice(0, -4)}AAAA`,
    reheaded(token, { alg: 'none', typ: 'JWT' }),
    reheaded(token, { alg: 'None' }),
    reheaded(token, { alg: 'RS256', typ: 'JWT' }),
    reheaded(token, { alg: 'HS256', kid: '../../dev/null' }),
  ];
  for (const bad of forged) {
    const answer = await me(app, { authorization: `Bearer ${bad}`, cookie });
    t.equal(answer.statusCode, 401, bad.slice(0, 40));
    t.match(answer.json(), { code: 'UNAUTHORIZED' });
  }
});

t.test('a token signed by another server or by another algorithm is refused', async (t) => {
  const { token } = await signIn(app);
  const claims = { ...claimsOf(token) };
  t.equal((await me(app, { authorization: `Bearer ${stranger.jwt.sign(claims)}` })).statusCode, 401);
  t.equal((await me(app, { authorization: `Bearer ${app.jwt.sign(claims, { algorithm: 'HS512' })}` })).statusCode, 401);
  t.equal((await me(app, { authorization: `Bearer ${app.jwt.sign(claims, { expiresIn: 60 })}` })).statusCode, 200);
  for (const sid of ['no id', '', '\0', 7]) {
    const answer = await me(app, { authorization: `Bearer ${app.jwt.sign({ ...claims, sid }, { expiresIn: 60 })}` });
    t.equal(answer.statusCode, 401, `a session named ${JSON.stringify(sid)}`);
  }
  const ended = app.jwt.sign({ ...claims, iat: claims.iat - 7200, exp: undefined }, { expiresIn: 3600 });
  t.equal((await me(app, { authorization: `Bearer ${ended}` })).statusCode, 401);
});

t.test('a token is verified again with every call', async (t) => {
  const { token, bearer, cookie } = await signIn(app);
  const [name] = cookie.split('=');
  const [header, , signature] = token.split('.');
  const claims = Buffer.from(JSON.stringify({ ...claimsOf(token), exp: 9e9 })).toString('base64url');
  t.equal((await me(app, bearer)).statusCode, 200);
  t.equal((await me(app, { cookie })).statusCode, 200);

  t.equal((await me(app, { authorization: `Bearer ${header}.${claims}.${signature}` })).statusCode, 401, 'tampered');
  t.equal((await me(app, { cookie: `${name}=${token}` })).statusCode, 401, 'used as the other kind');
  t.equal((await me(stranger, bearer)).statusCode, 401, 'on another server');

  const { now } = Date;
  t.teardown(() => Object.assign(Date, { now }));
  Date.now = () => claimsOf(token).exp * 1000 + 1;
  t.equal((await me(app, bearer)).statusCode, 401, 'expired');
  t.equal((await me(app, { cookie })).statusCode, 401, 'expired, in the cookie');
  Date.now = now;

  t.equal((await me(app, bearer)).statusCode, 200);
  await app.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer });
  t.equal((await me(app, bearer)).statusCode, 401, 'revoked');
});

t.test('logout ends the session on the server, by token or by cookie', async (t) => {
  const account = await signIn(app);
  const other = await logIn(app, account);
  const origin = { host: 'img.example.com', origin: 'http://img.example.com' };

  const byToken = await app.inject({ method: 'POST', url: '/api/auth/logout', headers: account.bearer });
  t.equal(byToken.statusCode, 204);
  t.match(byToken.headers['set-cookie'], /^session=;.*(Expires|Max-Age=0)/);
  t.equal((await me(app, account.bearer)).statusCode, 401);
  t.equal((await me(app, { cookie: account.cookie })).statusCode, 401, "the session's cookie is dead too");
  t.equal((await me(app, other.bearer)).statusCode, 200, 'another session of the same user stays alive');

  await app.inject({ method: 'POST', url: '/api/auth/logout', headers: { ...origin, cookie: other.cookie } });
  t.equal((await me(app, other.bearer)).statusCode, 401);
});

t.test('logout answers 204 for any input', async (t) => {
  const { bearer } = await signIn(app);
  for (const headers of [{}, { authorization: 'Bearer nonsense' }, bearer, bearer]) {
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      undefined,
    ]) {
      for (const payload of ['', '{', 'a=b']) {
        const answer = await app.inject({
          method: 'POST',
          url: '/api/auth/logout',
          headers: { ...headers, ...(type ? { 'content-type': type } : {}) },
          payload,
        });
        t.equal(answer.statusCode, 204, `${type} ${payload}`);
      }
    }
  }
});

t.test('logout ends every session whose token it carries', async (t) => {
  const one = await signIn(app);
  const other = await logIn(app, one);
  const origin = { host: 'img.example.com', origin: 'http://img.example.com' };
  await app.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { ...one.bearer, ...origin, cookie: other.cookie },
  });
  t.equal((await me(app, one.bearer)).statusCode, 401);
  t.equal((await me(app, other.bearer)).statusCode, 401);
  const third = await logIn(app, one);
  const foreign = { authorization: 'Bearer nonsense', cookie: third.cookie, origin: 'https://evil.example' };
  t.equal((await app.inject({ method: 'POST', url: '/api/auth/logout', headers: foreign })).statusCode, 204);
  t.equal((await me(app, third.bearer)).statusCode, 200, 'another site cannot end a session by the cookie');
});

t.test('a state-changing call that carries only the cookie must come from an allowed origin', async (t) => {
  const { cookie } = await signIn(app);
  const host = 'internal:3000';
  const remove = (headers: Record<string, string>) =>
    app.inject({ method: 'DELETE', url: '/api/images/delete/none', headers: { host, cookie, ...headers } });

  for (const origin of ['http://internal:3000', 'https://internal:3000', 'https://client.example']) {
    t.equal((await remove({ origin })).statusCode, 404, `${origin} is allowed`);
  }
  t.equal((await remove({ referer: 'http://internal:3000/dashboard' })).statusCode, 404);
  for (const origin of [
    'https://evil.example',
    'null',
    'http://internal:3000.evil.example',
    'https://client.example.evil',
  ]) {
    const answer = await remove({ origin });
    t.equal(answer.statusCode, 403, origin);
    t.equal(answer.json().code, 'FOREIGN_ORIGIN');
  }
  t.equal((await remove({ referer: 'no address' })).statusCode, 403);
  for (const site of ['cross-site', 'same-site', 'anything'])
    t.equal((await remove({ 'sec-fetch-site': site })).statusCode, 403, `a browser that sends ${site} and no origin`);
  t.equal((await remove({})).statusCode, 404, 'a program that keeps cookies is allowed');
});

t.test('with PUBLIC_URL the cookie counts only from that origin and CORS_ORIGIN, including the scheme', async (t) => {
  const app = stranger;
  const { cookie, bearer } = await signIn(app);
  const remove = async (headers: Record<string, string>) => {
    const url = '/api/images/delete/none';
    return (await app.inject({ method: 'DELETE', url, headers: { cookie, ...headers } })).statusCode;
  };
  // A proxy may use another host name for the server.
  for (const host of ['img.example.com', 'internal:3000'])
    for (const origin of [publicUrl, 'https://client.example']) t.equal(await remove({ host, origin }), 404, origin);
  t.equal(await remove({ host: 'img.example.com', 'sec-fetch-site': 'same-origin' }), 404);
  const own = { host: 'img.example.com' };
  t.equal(await remove({ ...own, origin: 'http://img.example.com' }), 403, 'another scheme');
  t.equal(await remove({ ...own, origin: 'https://img.example.com:8443' }), 403, 'another port');
  t.equal(await remove({ ...own, referer: 'http://img.example.com/dashboard' }), 403, 'another scheme in Referer');
  const rebound = { host: 'evil.rebind' };
  t.equal(await remove({ ...rebound, origin: 'http://evil.rebind' }), 403, 'a name that was rebound to this server');
  t.equal(await remove({ ...rebound, 'sec-fetch-site': 'same-origin' }), 403, 'a rebound name, and no origin');
  t.equal(
    await remove({ ...rebound, ...bearer, origin: 'http://evil.rebind' }),
    404,
    'browsers do not send a bearer token automatically',
  );
  for (const host of ['127.0.0.1:3000', '10.0.0.7', 'internal:3000']) {
    const health = await app.inject({ url: '/api/health/ready', headers: { host } });
    t.equal(health.statusCode, 200, `a health check by ${host}`);
  }
});

t.test('another site cannot log a visitor out by the cookie', async (t) => {
  const { cookie, bearer } = await signIn(app);
  const headers = { cookie, host: 'img.example.com', origin: 'https://evil.example' };
  t.equal((await app.inject({ method: 'POST', url: '/api/auth/logout', headers })).statusCode, 403);
  t.equal((await me(app, bearer)).statusCode, 200);
});

t.test('logout from another site is refused and leaves the cookie, with and without a session', async (t) => {
  const { cookie } = await signIn(app);
  const form = { 'content-type': 'application/x-www-form-urlencoded', host: 'img.example.com' };
  // Another site posts a form at the top level: the browser omits the Lax cookie, but obeys the response's cookie.
  for (const headers of [{}, { cookie }, { cookie: 'session=nonsense' }]) {
    for (const from of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/logout',
        headers: { ...form, ...headers, ...from },
        payload: 'a=b',
      });
      t.equal(answer.statusCode, 403, JSON.stringify({ ...headers, ...from }));
      t.equal(answer.json().code, 'FOREIGN_ORIGIN');
      t.notOk(answer.headers['set-cookie']);
    }
  }
});

t.test('logout by a bearer token from another site ends its session and leaves the cookie', async (t) => {
  const { bearer } = await signIn(app);
  const headers = { ...bearer, host: 'img.example.com', origin: 'https://evil.example' };
  const answer = await app.inject({ method: 'POST', url: '/api/auth/logout', headers });
  t.equal(answer.statusCode, 204);
  t.notOk(answer.headers['set-cookie']);
  t.equal((await me(app, bearer)).statusCode, 401);
});
