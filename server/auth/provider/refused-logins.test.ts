import t from 'tap';
import { eachEntry } from '../../audit/queries.ts';
import { readConfig } from '../../config/read-config.ts';
import { proofOf, signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { createProviderClient } from './provider-client.ts';
import { providerSettings } from './provider-settings.ts';
import { type Lies, startFalseProvider, subject } from './testing/false-provider.ts';
import { finish, logInByProvider, returnTo, settingsFor, startLogin } from './testing/provider-login.ts';

const provider = await startFalseProvider(t);
const app = await buildTestApp(t, settingsFor(provider));

const usersNow = async () => (await app.db.execute('select 1 from users')).length;
const problem = (code: string) => `/login?local#problem=${code}`;

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

const now = () => Math.floor(Date.now() / 1000);
const lies: [name: string, lies: Lies, problem: string][] = [
  ['a wrong nonce', { claims: { nonce: 'another' } }, 'refused'],
  ['no nonce', { claims: { nonce: undefined } }, 'refused'],
  ['another issuer', { claims: { iss: 'https://evil.example' } }, 'refused'],
  ['another audience', { claims: { aud: 'another-client' } }, 'refused'],
  ['another authorized party', { claims: { aud: ['gallery', 'x'], azp: 'x' } }, 'refused'],
  ['an expired token', { claims: { iat: now() - 900, exp: now() - 600 } }, 'refused'],
  ['no subject', { claims: { sub: undefined } }, 'refused'],
  ['an unsigned token', { unsigned: true }, 'refused'],
  ['a token signed by another key', { otherKey: true }, 'refused'],
  ['a token signed by the secret of the client', { symmetric: true }, 'refused'],
  ['no ID token', { withoutIdToken: true }, 'refused'],
  ['userinfo of someone else', { claims: { email: undefined }, userinfo: { sub: 'someone-else' } }, 'refused'],
  ['no email', { claims: { email: undefined } }, 'no-email'],
  ['an email that is none', { claims: { email: 'amira' } }, 'no-email'],
  ['an unverified email', { claims: { email_verified: false } }, 'email-unverified'],
  ['an email that may be unverified', { claims: { email_verified: undefined } }, 'email-unverified'],
  ['an odd claim about the email', { claims: { email_verified: 1 } }, 'email-unverified'],
  ['an error of the server', { status: 500 }, 'unavailable'],
];

t.test('a provider that lies is refused, and nobody gets an account', async (t) => {
  for (const [name, what, code] of lies) {
    const started = await startLogin(app);
    t.equal(await returnTo(app, provider, started, { lies: what }), problem(code), name);
  }
  t.equal(await usersNow(), 0);
});

t.test('an answer with a wrong state or issuer, without a code, or with an error is refused', async (t) => {
  const queries: [query: Record<string, string | undefined>, problem: string][] = [
    [{ state: 'another' }, 'expired'],
    [{ state: undefined }, 'expired'],
    [{ iss: 'https://evil.example' }, 'refused'],
    [{ iss: undefined }, 'refused'],
    [{ code: undefined }, 'refused'],
    [{ code: undefined, error: 'access_denied' }, 'denied'],
    [{ code: undefined, error: 'temporarily_unavailable' }, 'unavailable'],
    [{ code: undefined, error: 'invalid_scope' }, 'refused'],
  ];
  for (const [query, code] of queries) {
    const started = await startLogin(app);
    t.equal(await returnTo(app, provider, started, { query }), problem(code), JSON.stringify(query));
  }
  t.equal(await usersNow(), 0);
});

t.test('an answer counts once, and only in the browser that started the login', async (t) => {
  const [started, other] = [await startLogin(app), await startLogin(app)];
  t.equal(await returnTo(app, provider, started, { cookie: other.cookie }), problem('expired'));
  t.equal(await returnTo(app, provider, started), problem('expired'), 'the attempt has used it up');
  t.equal(await returnTo(app, provider, await startLogin(app), { cookie: '' }), problem('expired'));
  t.equal(await usersNow(), 0);
});

t.test('the code of a session works once, and only in its browser', async (t) => {
  const [started, other] = [await startLogin(app), await startLogin(app)];
  const path = await returnTo(app, provider, started);
  t.match((await finish(app, path, other.cookie)).json(), { statusCode: 403, code: 'PROVIDER_LOGIN_EXPIRED' });
  t.match((await finish(app, path, started.cookie)).json(), { code: 'PROVIDER_LOGIN_EXPIRED' }, 'it is used up');
  const again = await startLogin(app);
  const second = await returnTo(app, provider, again);
  t.equal((await finish(app, second, again.cookie)).statusCode, 200);
  t.equal((await finish(app, second, again.cookie)).statusCode, 403);
});

t.test('no account is taken over by its email, also not in another case', async (t) => {
  const account = await signIn(app);
  for (const email of [account.email, account.email.toUpperCase()]) {
    for (const more of [{}, { email_verified: true }]) {
      const claims = { sub: `thief-${email}`, email, ...more };
      const path = await returnTo(app, provider, await startLogin(app), { lies: { claims } });
      t.equal(path, problem('email-taken'));
    }
  }
  const linked = await app.db.execute(`select 1 from identities where user_id = '${account.id}'`);
  t.equal(linked.length, 0);
});

t.test('while the provider is down, its logins fail with a reason, and sessions and passwords work', async (t) => {
  const account = await signIn(app);
  const { bearer } = await logInByProvider(app, provider);
  const started = await startLogin(app);
  await provider.stop();
  t.equal(await returnTo(app, provider, started), problem('unavailable'));
  const fresh = await buildTestApp(t, settingsFor(provider));
  t.equal((await startLogin(fresh)).location.hash, '#problem=unavailable', 'a server that starts meanwhile');
  const local = await signIn(fresh);
  t.ok(local.token, 'password login');
  for (const headers of [bearer, account.bearer]) {
    t.equal((await app.inject({ url: '/api/auth/me', headers })).statusCode, 200);
  }
  await provider.restart();
  t.match((await startLogin(fresh)).location.href, provider.issuer, 'it is found without a restart');
});

t.test('a provider that never answers counts as down', async (t) => {
  const settings = providerSettings({ ...readConfig({}), ...settingsFor(provider) });
  if (!settings) throw new Error('no settings');
  const slow = createProviderClient(settings, { timeoutMs: 400 });
  provider.lie({ silent: true });
  const checks = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  t.match(await failureOf(slow.loginUrl(checks)), { problem: 'unavailable' });
  provider.lie({});
  t.match(await slow.loginUrl(checks), provider.issuer);
  provider.lie({ silent: true });
  const answer = slow.identify(`?code=c&state=s&iss=${provider.issuer}`, checks);
  t.match(await failureOf(answer), { problem: 'unavailable' });
  provider.lie({});
});

t.test('nobody is led to a provider that has gone down since', async (t) => {
  const settings = providerSettings({ ...readConfig({}), ...settingsFor(provider) });
  if (!settings) throw new Error('no settings');
  const checks = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const sure = createProviderClient(settings);
  const doubting = createProviderClient(settings, { answersForMs: 0 });
  for (const client of [sure, doubting]) t.match(await client.loginUrl(checks), provider.issuer);
  const before = provider.calls.length;
  await sure.loginUrl(checks);
  t.equal(provider.calls.length, before, 'no call right after an answer');
  await provider.stop();
  t.match(await failureOf(doubting.loginUrl(checks)), { problem: 'unavailable' });
  t.match(await failureOf(doubting.logoutUrl(null)), { problem: 'unavailable' });
  await provider.restart();
  t.match(await doubting.loginUrl(checks), provider.issuer);
  const hurried = createProviderClient(settings, { answersForMs: 0, timeoutMs: 600_000, checkMs: 100 });
  await hurried.loginUrl(checks);
  provider.lie({ silent: true });
  t.match(await failureOf(hurried.loginUrl(checks)), { problem: 'unavailable' }, 'after the time of a check');
  provider.lie({});
});

t.test('settings of another issuer are refused', async (t) => {
  const fresh = await buildTestApp(t, settingsFor(provider));
  provider.lie({ metadata: { issuer: 'https://evil.example' } });
  t.equal((await startLogin(fresh)).location.hash, '#problem=settings');
  const { bearer } = await signIn(fresh);
  const payload = { proof: await proofOf(fresh, bearer) };
  const link = { method: 'POST', url: '/api/auth/provider/link', headers: bearer, payload } as const;
  t.match((await fresh.inject(link)).json(), { statusCode: 502, code: 'PROVIDER_MISCONFIGURED' });
  provider.lie({ status: 404 });
  t.equal((await startLogin(fresh)).location.hash, '#problem=settings', 'nothing is published at the address');
  provider.lie({});
});

t.test('the log has both issuers, and what the provider says in words', async (t) => {
  const settings = providerSettings({ ...readConfig({}), ...settingsFor(provider) });
  if (!settings) throw new Error('no settings');
  const checks = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const client = createProviderClient(settings);
  provider.lie({ metadata: { issuer: 'https://other.example/\u001b[2J' } });
  const { message } = (await failureOf(client.loginUrl(checks))) as Error;
  for (const issuer of [provider.issuer, 'https://other.example/']) t.ok(message.includes(issuer), message);
  t.notMatch(message, /\p{C}/u, 'no control character');
  for (const [claim, value] of [
    ['iss', 'https://other.example'],
    ['aud', 'another-client'],
  ]) {
    provider.lie({ claims: { [`${claim}`]: value } });
    provider.setNonce('n');
    const refused = (await failureOf(client.identify(`?code=c&state=s&iss=${provider.issuer}`, checks))) as Error;
    t.match(refused, { problem: 'refused', message: new RegExp(`here: .+, at the provider: "${value}"`) });
  }
  provider.lie({});
  const words = 'The client\nis blocked';
  const answer = `?${new URLSearchParams({ state: 's', iss: provider.issuer, error: 'invalid_request', error_description: words })}`;
  t.match(await failureOf(client.identify(answer, checks)), { problem: 'refused', message: /"The client is blocked"/ });
});

t.test('a provider that sends no email_verified is believed if a setting says that it verifies', async (t) => {
  const trusting = await buildTestApp(t, { ...settingsFor(provider), oidcTrustEmail: 'on' });
  const person = (name: string, email_verified: unknown) => ({
    claims: { sub: name, email: `${name}@trusted.example`, preferred_username: name, email_verified },
  });
  const enter = async (name: string, verified: unknown) =>
    returnTo(trusting, provider, await startLogin(trusting), { lies: person(name, verified) });
  t.match(await enter('mona', undefined), /#provider=/);
  t.match(await enter('nour', null), /#provider=/);
  for (const denied of [false, 'false', 0, 'no']) t.equal(await enter('rami', denied), problem('email-unverified'));
  const rows = await trusting.db.execute('select username from users where email_confirmed_at is not null order by 1');
  t.same([...rows], [{ username: 'mona' }, { username: 'nour' }], 'their mailboxes are proved');
});

t.test('each failure is in the audit log, without a secret', async (t) => {
  const reasons = new Set<unknown>();
  for await (const rows of eachEntry(app.db, { action: 'login.failed' })) {
    for (const { details } of rows) reasons.add((details as { reason?: unknown }).reason);
    t.notMatch(JSON.stringify(rows), /a-code|a secret|eyJ/);
  }
  for (const reason of ['refused', 'expired', 'denied', 'unavailable', 'email-taken', 'no-email', 'email-unverified']) {
    t.ok(reasons.has(reason), reason);
  }
  t.notMatch(JSON.stringify([...reasons]), subject);
});
