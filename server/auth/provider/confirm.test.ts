import t from 'tap';
import { eachEntry } from '../../audit/queries.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { newLoginAt } from './provider-client.ts';
import { startFalseProvider } from './testing/false-provider.ts';
import { logInByProvider, returnTo, settingsFor, startConfirmation, startLink } from './testing/provider-login.ts';

const provider = await startFalseProvider(t);
const app = await buildTestApp(t, settingsFor(provider));

type Bearer = { authorization: string };

const settings = '/dashboard/settings#provider-';
const minute = 60_000;
const now = () => Math.floor(Date.now() / 1000);
const person = (name: string, more = {}) => ({
  claims: { sub: `sub-${name}`, email: `${name}@provider.example`, preferred_username: name, ...more },
});
const prove = async (headers: Bearer) =>
  (await app.inject({ method: 'POST', url: '/api/account/proof', headers, payload: {} })).json();
const wayOf = async (headers: Bearer) =>
  (await app.inject({ url: '/api/account/factors', headers })).json().provider_proof;
const age = (id: string) =>
  app.db.execute(`update sessions set created_at = now() - interval '6 minutes' where user_id = '${id}'`);
const addPasskey = (id: string) =>
  app.db.execute(`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, synced, name)
    values (gen_random_uuid(), '${id}', '${id}', '', 0, '{}', false, 'Phone')`);

/** What the audit log notes of the provider's answers. */
async function failuresOf(id: string): Promise<unknown[]> {
  const entries = [];
  for await (const rows of eachEntry(app.db, { action: 'proof.failed' })) entries.push(...rows);
  const own = entries.filter(({ actorId }) => actorId === id).map(({ details }) => details as Record<string, unknown>);
  t.ok(own.every(({ reason }) => reason === 'provider'));
  return own.map(({ problem }) => problem).sort();
}

/** Logs in, and lets the login become too old. */
async function enter(name: string) {
  const { user, bearer } = await logInByProvider(app, provider, person(name));
  t.equal(await wayOf(bearer), 'recent');
  await age(user.id);
  return { id: String(user.id), bearer };
}

t.test('a login that is too old confirms nothing, and a new one does, also beside a passkey', async (t) => {
  const { id, bearer } = await enter('noor');
  t.equal(await wayOf(bearer), 'login');
  t.match(await prove(bearer), { statusCode: 403, code: 'PROOF_NOT_ACCEPTED' });
  await addPasskey(id);
  t.equal(await wayOf(bearer), 'login');

  const started = await startConfirmation(app, bearer);
  t.match(Object.fromEntries(started.location.searchParams), { prompt: 'login', max_age: '0' });
  const lies = person('noor', { auth_time: now(), sid: 'sid-2' });
  t.equal(await returnTo(app, provider, started, { lies }), `${settings}proved`);
  t.equal(await wayOf(bearer), 'recent');
  t.match(await prove(bearer), { proof: /^[\w-]{43}$/ });
  const [session] = await app.db.execute(`select provider_sid from sessions where user_id = '${id}'`);
  t.match(session, { provider_sid: 'sid-2' }, 'a logout at the provider still ends it');

  const { bearer: other } = await logInByProvider(app, provider, person('noor'));
  t.match(await prove(other), { code: 'PROOF_NOT_ACCEPTED' }, 'another session of the account');
  await app.db.execute(`update challenges set expires_at = now() where kind = 'provider-proof'`);
  t.equal(await wayOf(bearer), 'login');
});

t.test('a proof by a login ends with the login, also after a renewal of the session', async (t) => {
  const { user, bearer } = await logInByProvider(app, provider, person('aziz'));
  await app.db.execute(`update sessions set created_at = now() - interval '4 minutes' where user_id = '${user.id}'`);
  const { proof, expires_at } = await prove(bearer);
  const left = Date.parse(expires_at) - Date.now();
  t.ok(left > 0 && left <= minute, `${left} ms`);
  const payload = { email: 'aziz.new@provider.example', proof };
  const changed = await app.inject({ method: 'PATCH', url: '/api/account', headers: bearer, payload });
  const renewed = { authorization: `Bearer ${changed.json().access_token}` };
  t.equal(await wayOf(renewed), 'recent');
  t.ok(Date.parse((await prove(renewed)).expires_at) - Date.now() <= minute, 'the session is new, but not the login');

  const again = await startConfirmation(app, renewed);
  const lies = person('aziz', { auth_time: now() });
  t.equal(await returnTo(app, provider, again, { lies }), `${settings}proved`);
  await app.db.execute(`update challenges set expires_at = now() + interval '1 minute' where kind = 'provider-proof'`);
  await age(user.id);
  t.ok(Date.parse((await prove(renewed)).expires_at) - Date.now() <= minute, 'of a new login');
});

t.test('an answer without a new login, or of someone else, confirms nothing', async (t) => {
  const { id, bearer } = await enter('lina');
  await logInByProvider(app, provider, person('sami'));
  for (const [lies, problem] of [
    [person('lina', { auth_time: now() - 900 }), 'not-fresh'],
    [person('lina'), 'not-fresh'],
    [person('sami', { auth_time: now() }), 'other-identity'],
    [person('nobody', { auth_time: now() }), 'other-identity'],
  ] as const) {
    const started = await startConfirmation(app, bearer);
    t.equal(await returnTo(app, provider, started, { lies }), `${settings}problem=${problem}`);
    t.match(await prove(bearer), { code: 'PROOF_NOT_ACCEPTED' });
  }
  t.same(await app.db.execute(`select 1 from identities where subject = 'sub-nobody'`), []);
  const [own, other] = [await startConfirmation(app, bearer), await startConfirmation(app, bearer)];
  const lies = person('lina', { auth_time: now() });
  t.equal(await returnTo(app, provider, own, { lies, cookie: 'provider=x' }), `${settings}problem=expired`);
  await app.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer });
  t.equal(await returnTo(app, provider, other, { lies }), `${settings}problem=session-ended`);
  t.same(await failuresOf(id), ['not-fresh', 'not-fresh', 'other-identity', 'other-identity', 'session-ended']);
});

t.test('a provider that lists no time of the login is asked for a new one, and believed', async (t) => {
  const metadata = { claims_supported: ['sub', 'email'] };
  provider.lie({ metadata });
  const plain = await buildTestApp(t, settingsFor(provider));
  const { bearer } = await logInByProvider(plain, provider, { ...person('rana'), metadata });
  const started = await startConfirmation(plain, bearer);
  t.match(Object.fromEntries(started.location.searchParams), { prompt: 'login', max_age: undefined });
  t.equal(await returnTo(plain, provider, started, { lies: person('rana') }), `${settings}proved`);
});

t.test('a provider that knows no prompt=login is asked for the time of the login, or for nothing', async (t) => {
  const requestAt = async (metadata: Record<string, unknown>) => {
    provider.lie({ metadata });
    const plain = await buildTestApp(t, settingsFor(provider));
    const { bearer } = await logInByProvider(plain, provider, { ...person('dima'), metadata });
    await plain.db.execute(`update sessions set created_at = now() - interval '6 minutes'`);
    const call = { method: 'POST', url: '/api/auth/provider/proof', headers: bearer } as const;
    const { url, code } = (await plain.inject(call)).json();
    const { provider_proof: way } = (await plain.inject({ url: '/api/account/factors', headers: bearer })).json();
    const { prompt, max_age } = Object.fromEntries(new URL(url ?? 'none:').searchParams);
    return { way, code, prompt, max_age };
  };
  const [prompt_values_supported, all] = [
    ['none', 'consent', 'select_account'],
    ['none', 'login'],
  ];
  const nothing = { way: null, code: 'NO_PROVIDER_PROOF', prompt: undefined, max_age: undefined };
  t.match(await requestAt({ prompt_values_supported: all }), { way: 'login', prompt: 'login', max_age: '0' });
  const timed = { prompt_values_supported, claims_supported: ['sub', 'auth_time'] };
  t.same(await requestAt(timed), { way: 'login', code: undefined, prompt: undefined, max_age: '0' });
  t.same(await requestAt({ prompt_values_supported, claims_supported: ['sub'] }), nothing);
  t.same(await requestAt({ prompt_values_supported }), nothing, 'without a list of claims');
  const google = { issuer: 'https://accounts.google.com', claims_supported: ['aud', 'exp', 'iat', 'sub'] };
  t.equal(newLoginAt(google), undefined, 'Google publishes no list of prompts');
});

t.test('a link that fails is a failure of the account that started it', async (t) => {
  const { id, bearer } = await signIn(app);
  await logInByProvider(app, provider, person('taken'));
  const path = await returnTo(app, provider, await startLink(app, bearer), { lies: person('taken') });
  t.equal(path, `${settings}problem=linked-elsewhere`);
  t.same(await failuresOf(id), ['linked-elsewhere']);
});

t.test('an account with a password confirms by it, and not by a login at the provider', async (t) => {
  const { id, bearer } = await signIn(app);
  const lies = person('owner', { auth_time: now() });
  await returnTo(app, provider, await startLink(app, bearer), { lies });
  const refused = await app.inject({ method: 'POST', url: '/api/auth/provider/proof', headers: bearer });
  t.match(refused.json(), { statusCode: 403, code: 'NO_PROVIDER_PROOF' });

  const setPassword = (hash: string) => app.db.execute(`update users set password_hash = ${hash} where id = '${id}'`);
  await setPassword('null');
  t.equal(await wayOf(bearer), 'login', 'a session of a password');
  const [first, second] = [await startConfirmation(app, bearer), await startConfirmation(app, bearer)];
  t.equal(await returnTo(app, provider, first, { lies }), `${settings}proved`);
  t.equal(await wayOf(bearer), 'recent');
  await setPassword("'a hash'");
  t.equal(await wayOf(bearer), null, 'the proof does not outlive the new password');
  t.match(await prove(bearer), { code: 'PROOF_NOT_ACCEPTED' });
  t.equal(await returnTo(app, provider, second, { lies }), `${settings}problem=password-needed`);
});

t.test('with PASSWORD_LOGIN=off, an account with a password confirms by a login at the provider', async (t) => {
  const off = await buildTestApp(t, { ...settingsFor(provider), passwordLogin: 'off' });
  const { user, bearer } = await logInByProvider(off, provider, person('huda'));
  await off.db.execute(`update users set password_hash = 'a hash' where id = '${user.id}'`);
  const factors = async () => (await off.inject({ url: '/api/account/factors', headers: bearer })).json();
  t.match(await factors(), { has_password: true, provider_proof: 'recent' });
  await off.db.execute(`update sessions set created_at = now() - interval '6 minutes'`);
  t.match(await factors(), { provider_proof: 'login' });
  const lies = person('huda', { auth_time: now() });
  t.equal(await returnTo(off, provider, await startConfirmation(off, bearer), { lies }), `${settings}proved`);
  t.match(await factors(), { provider_proof: 'recent' });
});
