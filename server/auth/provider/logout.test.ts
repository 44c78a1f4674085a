import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { type Lies, startFalseProvider, subject } from './testing/false-provider.ts';
import { finish, logInByProvider, returnTo, settingsFor, startLogin } from './testing/provider-login.ts';

const provider = await startFalseProvider(t);
const app = await buildTestApp(t, settingsFor(provider));

type Bearer = { authorization: string };
const isLive = async (headers: Bearer) => (await app.inject({ url: '/api/auth/me', headers })).statusCode === 200;
const leave = (headers: Bearer, path = 'provider/logout') =>
  app.inject({ method: 'POST', url: `/api/auth/${path}`, headers });

async function send(token: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams({ logout_token: token }).toString();
  return app.inject({ method: 'POST', url: '/api/auth/provider/backchannel-logout', headers, payload });
}

t.test('a logout ends the session and leads to the provider', async (t) => {
  const { bearer } = await logInByProvider(app, provider);
  const answer = await leave(bearer);
  t.equal(answer.statusCode, 200);
  t.match(answer.cookies, [{ name: 'session', value: '' }]);
  const url = new URL(answer.json().url);
  t.equal(url.origin + url.pathname, `${provider.issuer}/logout`);
  t.match(Object.fromEntries(url.searchParams), {
    id_token_hint: /^eyJ/,
    client_id: 'gallery',
    post_logout_redirect_uri: 'http://gallery.example/login?local',
  });
  t.notOk(await isLive(bearer));
  t.same((await leave(bearer)).json(), { url: null }, 'a second time there is nothing to end');
});

t.test('a session that a password opened has nothing to end at the provider', async (t) => {
  const { bearer } = await signIn(app);
  t.same((await leave(bearer)).json(), { url: null });
  t.notOk(await isLive(bearer));
});

t.test('the usual logout still answers 204', async (t) => {
  const { bearer } = await logInByProvider(app, provider);
  t.equal((await leave(bearer, 'logout')).statusCode, 204);
  t.notOk(await isLive(bearer));
});

t.test('a long ID token is not kept, and a provider without a logout is not called', async (t) => {
  const claims = { sub: 'long', email: 'long@example.com', groups: 'x'.repeat(5000) };
  const { bearer } = await logInByProvider(app, provider, { claims });
  t.notMatch((await leave(bearer)).json().url, /id_token_hint/);
  const plain = await buildTestApp(t, settingsFor(provider));
  provider.lie({ metadata: { end_session_endpoint: undefined } });
  const started = await startLogin(plain);
  const path = await returnTo(plain, provider, started);
  const { access_token } = (await finish(plain, path, started.cookie)).json();
  const headers = { authorization: `Bearer ${access_token}` };
  const answer = await plain.inject({ method: 'POST', url: '/api/auth/provider/logout', headers });
  t.same(answer.json(), { url: null });
});

t.test('a logout token ends the sessions that it names, and no others', async (t) => {
  const sid = (id: string): Lies => ({ claims: { sid: id } });
  const [one, other] = [
    await logInByProvider(app, provider, sid('one')),
    await logInByProvider(app, provider, sid('two')),
  ];
  const stranger = await logInByProvider(app, provider, { claims: { sub: 'x', email: 'x@example.com', sid: 'one' } });
  const local = await signIn(app);
  const answer = await send(await provider.logoutToken({ sid: 'one' }));
  t.equal(answer.statusCode, 200);
  t.equal(answer.headers['cache-control'], 'no-store');
  t.notOk(await isLive(one.bearer));
  t.ok(await isLive(other.bearer), 'another session of the same person');
  t.ok(await isLive(stranger.bearer), 'the same sid of another person');
  t.equal((await send(await provider.logoutToken())).statusCode, 200, 'by the subject alone');
  t.notOk(await isLive(other.bearer));
  t.equal((await send(await provider.logoutToken({ sub: undefined, sid: 'one' }))).statusCode, 200, 'by the sid alone');
  t.notOk(await isLive(stranger.bearer));
  t.ok(await isLive(local.bearer));
});

t.test('a logout token also ends a login whose page has not fetched its session yet', async (t) => {
  const started = await startLogin(app);
  const path = await returnTo(app, provider, started);
  t.equal((await send(await provider.logoutToken())).statusCode, 200);
  t.equal((await finish(app, path, started.cookie)).statusCode, 403);
});

t.test('a logout token whose sessions could not be ended works when it is sent again, and then no more', async (t) => {
  const { bearer } = await logInByProvider(app, provider);
  const token = await provider.logoutToken();
  await app.db.execute('alter table audit_log add constraint full_up check (false) not valid');
  t.equal((await send(token)).statusCode, 500);
  t.ok(await isLive(bearer));
  await app.db.execute('alter table audit_log drop constraint full_up');
  t.equal((await send(token)).statusCode, 200);
  t.notOk(await isLive(bearer));
  t.equal((await send(token)).statusCode, 400);
});

t.test('a wrong logout token ends nothing', async (t) => {
  const { bearer } = await logInByProvider(app, provider);
  const now = Math.floor(Date.now() / 1000);
  const wrong: [name: string, changes: Record<string, unknown>, lies?: Lies, typ?: string][] = [
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another-client' }],
    ['expired', { iat: now - 200, exp: now - 100 }],
    ['without an end', { exp: undefined }],
    ['without a time', { iat: undefined }],
    ['too old', { iat: now - 900, exp: now + 900 }],
    ['without an id', { jti: undefined }],
    ['without events', { events: undefined }],
    ['of another event', { events: { 'http://example.com/event': {} } }],
    ['with events of another type', { events: ['http://schemas.openid.net/event/backchannel-logout'] }],
    ['with a nonce', { nonce: 'n' }],
    ['for nobody', { sub: undefined, sid: undefined }],
    ['unsigned', {}, { unsigned: true }],
    ['signed by the secret of the client', {}, { symmetric: true }],
    ['signed by another key', {}, { otherKey: true }],
    ['of another type', {}, {}, 'at+jwt'],
  ];
  for (const [name, changes, lies, typ] of wrong) {
    const answer = await send(await provider.logoutToken(changes, lies, typ));
    t.match(answer.json(), { statusCode: 400, code: 'INVALID_REQUEST' }, name);
  }
  t.equal((await send('no token')).statusCode, 400);
  t.equal((await send('')).statusCode, 400);
  t.ok(await isLive(bearer));
});

t.test('a logout token counts once', async (t) => {
  const token = await provider.logoutToken({ jti: 'once' });
  t.equal((await send(token)).statusCode, 200);
  const { bearer } = await logInByProvider(app, provider);
  t.match((await send(token)).json(), { statusCode: 400, message: /used already/ });
  t.ok(await isLive(bearer));
  t.equal((await send(await provider.logoutToken({ sub: subject }))).statusCode, 200);
  t.notOk(await isLive(bearer));
});
