import { createHash } from 'node:crypto';
import t from 'tap';
import { eachEntry } from '../../audit/queries.ts';
import { proofOf, signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { setDisabled } from '../queries.ts';
import { setRole } from '../roles/queries.ts';
import { startFalseProvider } from './testing/false-provider.ts';
import {
  finish,
  logInByProvider,
  returnAtOnce,
  returnTo,
  settingsFor,
  startLink,
  startLogin,
} from './testing/provider-login.ts';

const provider = await startFalseProvider(t);
const app = await buildTestApp(t, settingsFor(provider));

const rowOf = async (id: string) => (await app.db.execute(`select * from users where id = '${id}'`))[0] ?? {};
const settings = '/dashboard/settings#provider-';
const identitiesOf = async (bearer: { authorization: string }) =>
  (await app.inject({ url: '/api/auth/provider/identities', headers: bearer })).json();

/** A new account at the provider. */
const person = (name: string, more = {}) => ({
  claims: { sub: `sub-${name}`, email: `${name}@provider.example`, preferred_username: name, ...more },
});

t.test('a verified email confirms an account that the identity has made, and no other one', async (t) => {
  const made = await logInByProvider(app, provider, {
    claims: { sub: 'maker', email: 'maker@example.com', preferred_username: 'maker' },
  });
  const isConfirmed = async (id: string) => {
    const [row] = await app.db.execute(`select email_confirmed_at from users where id = '${id}'`);
    return row?.email_confirmed_at !== null;
  };
  const enter = (email_verified: boolean, sub = 'maker', email = 'Maker@example.com') =>
    logInByProvider(app, provider, { claims: { sub, email, preferred_username: sub, email_verified } });
  await app.db.execute(`update users set email_confirmed_at = null where id = '${made.user.id}'`);
  await enter(false);
  t.notOk(await isConfirmed(made.user.id));
  await enter(true, 'maker', 'other@example.com');
  t.notOk(await isConfirmed(made.user.id), 'another mailbox');
  await enter(true);
  t.ok(await isConfirmed(made.user.id));
  t.equal((await app.inject({ url: '/api/auth/me', headers: made.bearer })).statusCode, 200, 'and ends nothing');

  const account = await signIn(app);
  await app.db.execute(`insert into identities (id, user_id, issuer, subject, label)
    values (gen_random_uuid(), '${account.id}', '${provider.issuer}', 'later', 'later')`);
  await enter(true, 'later', account.email);
  t.notOk(await isConfirmed(account.id), 'a later identity says nothing about who has made the account');
});

t.test('the login sends PKCE, a nonce and the scopes', async (t) => {
  const { location } = await startLogin(app);
  const sent = Object.fromEntries(location.searchParams);
  t.match(sent, {
    response_type: 'code',
    client_id: 'gallery',
    scope: 'openid profile email',
    redirect_uri: 'http://gallery.example/api/auth/provider/callback',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
  });
  const started = await startLogin(app);
  await returnTo(app, provider, started);
  const form = Object.fromEntries(provider.form());
  const verifier = form.code_verifier ?? '';
  t.match(form, { grant_type: 'authorization_code', redirect_uri: sent.redirect_uri, code_verifier: /^[\w-]{43}$/ });
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  t.equal(started.location.searchParams.get('code_challenge'), challenge);
  t.notOk(form.client_secret, 'the secret is in a header');
});

t.test('an unknown identity gets an account without a password, and keeps it whatever its email', async (t) => {
  const { user, bearer } = await logInByProvider(app, provider, person('noor'));
  t.match(user, { username: 'noor', email: 'noor@provider.example' });
  t.match(await rowOf(user.id), { password_hash: null, role: 'user', pending_since: null });
  t.equal((await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode, 200);
  const again = await logInByProvider(app, provider, person('noor', { email: 'other@provider.example' }));
  t.equal(again.user.id, user.id);
  t.equal(again.user.email, 'noor@provider.example', 'the email of an account stays');
  const { rows } = {
    rows: await app.db.execute(`select method, provider_sid, id_token from sessions where user_id = '${user.id}'`),
  };
  t.match(rows[0], { method: 'provider', provider_sid: 'sid-1', id_token: /^eyJ/ });
});

t.test('usernames follow the rules of the registration, and are unique', async (t) => {
  for (const [claims, username] of [
    [{ preferred_username: 'lina@corp.example' }, 'lina'],
    [{ preferred_username: 'lina' }, 'lina-2'],
    [{ preferred_username: 'Lina Haddad' }, 'Lina.Haddad'],
    [{ preferred_username: '<b>', name: 'ليلى حداد' }, 'ليلى.حداد'],
    [{ preferred_username: undefined, email: 'sami@provider.example' }, 'sami'],
    [{ preferred_username: 'x', name: '!!', email: 'é@provider.example' }, 'user'],
    [{ preferred_username: `a${'b'.repeat(80)}` }, `a${'b'.repeat(31)}`],
  ] as const) {
    const { user } = await logInByProvider(
      app,
      provider,
      person(`p-${username}-${Math.random()}`, { email: `${Math.random()}@x.example`, ...claims }),
    );
    t.equal(user.username, username);
  }
});

t.test('ten first logins of one person at once make one account', async (t) => {
  const started = await Promise.all(Array.from({ length: 10 }, () => startLogin(app)));
  const paths = await returnAtOnce(app, provider, started, person('crowd'));
  t.ok(
    paths.every((path) => path.includes('#provider=')),
    paths.join(),
  );
  t.equal((await app.db.execute("select 1 from users where email_key = 'crowd@provider.example'")).length, 1);
});

t.test('OIDC_REGISTRATION=off admits linked accounts only', async (t) => {
  const closed = await buildTestApp(t, { ...settingsFor(provider), oidcRegistration: 'off' });
  t.equal(await returnTo(closed, provider, await startLogin(closed)), '/login?local#problem=unknown');
  const account = await signIn(closed);
  t.equal(await returnTo(closed, provider, await startLink(closed, account.bearer)), `${settings}linked`);
  t.equal((await logInByProvider(closed, provider)).user.id, account.id);
});

t.test('a login by the provider replaces a session of another account only if the person agrees', async (t) => {
  const open = await signIn(app);
  const started = await startLogin(app);
  const path = await returnTo(app, provider, started, { lies: person('switcher') });
  const refused = await finish(app, path, started.cookie, open.bearer);
  t.match(refused.json(), { statusCode: 409, code: 'OTHER_ACCOUNT_OPEN' });
  t.equal((await app.inject({ url: '/api/auth/me', headers: open.bearer })).statusCode, 200);
  const done = await finish(app, path, started.cookie, open.bearer, { switch_account: true });
  t.match(done.json(), { user: { username: 'switcher' } });
  const own = { authorization: `Bearer ${done.json().access_token}` };
  const again = await startLogin(app);
  const back = await returnTo(app, provider, again, { lies: person('switcher') });
  t.equal((await finish(app, back, again.cookie, own)).statusCode, 200, 'the same account');
});

t.test('REGISTRATION=closed does not keep people out whom the provider admits', async (t) => {
  const closed = await buildTestApp(t, { ...settingsFor(provider), registration: 'closed' });
  t.ok((await logInByProvider(closed, provider)).user.id);
});

t.test('an account links an identity from inside its session, with any email, and logs in by it', async (t) => {
  const account = await signIn(app);
  const lies = person('linked', { email_verified: false });
  t.equal(await returnTo(app, provider, await startLink(app, account.bearer), { lies }), `${settings}linked`);
  t.equal(await returnTo(app, provider, await startLink(app, account.bearer), { lies }), `${settings}linked`, 'twice');
  const { user, bearer } = await logInByProvider(app, provider, lies);
  t.equal(user.id, account.id);
  const { identities } = await identitiesOf(bearer);
  t.match(identities, [{ issuer: provider.issuer, label: 'linked@provider.example' }]);

  const other = await signIn(app);
  const path = await returnTo(app, provider, await startLink(app, other.bearer), { lies });
  t.equal(path, `${settings}problem=linked-elsewhere`);
  t.same((await identitiesOf(other.bearer)).identities, []);
});

t.test('a link whose session has ended, or that returns in another browser, links nothing', async (t) => {
  const account = await signIn(app);
  const lies = person('late');
  const started = await startLink(app, account.bearer);
  await app.inject({ method: 'POST', url: '/api/auth/logout', headers: account.bearer });
  t.equal(await returnTo(app, provider, started, { lies }), `${settings}problem=session-ended`);
  const [victim, thief] = [await startLogin(app), await startLink(app, (await signIn(app)).bearer)];
  const path = await returnTo(app, provider, thief, { lies, cookie: victim.cookie });
  t.equal(path, `${settings}problem=expired`);
  t.equal((await app.db.execute("select 1 from identities where subject = 'sub-late'")).length, 0);
});

t.test('an identity can be unlinked, unless the account could not log in any more', async (t) => {
  const { user, bearer } = await logInByProvider(app, provider, person('leaver'));
  const [only] = (await identitiesOf(bearer)).identities;
  const unlink = async (id: string, headers = bearer) => {
    const payload = { proof: await proofOf(app, headers) };
    return app.inject({ method: 'DELETE', url: `/api/auth/provider/identities/${id}`, headers, payload });
  };
  t.match((await unlink(only.id)).json(), { statusCode: 409, code: 'LAST_LOGIN' });
  t.equal((await unlink(only.id, (await signIn(app)).bearer)).statusCode, 404, 'only by its owner');

  await returnTo(app, provider, await startLink(app, bearer), { lies: person('leaver-2') });
  const second = await logInByProvider(app, provider, person('leaver-2'));
  const { identities } = await identitiesOf(bearer);
  const both = identities.map(({ id }: { id: string }) => unlink(id));
  const codes = (await Promise.all(both)).map(({ statusCode }) => statusCode).sort();
  t.match(codes, [204, /^(?:401|409)$/], 'of two at once, one stays');
  const left = await app.db.execute(`select 1 from identities where user_id = '${user.id}'`);
  t.equal(left.length, 1);
  const me = (headers: { authorization: string }) => app.inject({ url: '/api/auth/me', headers });
  t.equal((await me(bearer)).statusCode, 200, 'the session that unlinks continues');
  t.ok([200, 401].includes((await me(second.bearer)).statusCode));
});

t.test('an identity that is unlinked between the two steps of a login opens no session', async (t) => {
  const account = await signIn(app);
  const lies = person('hasty');
  await returnTo(app, provider, await startLink(app, account.bearer), { lies });
  const started = await startLogin(app);
  const path = await returnTo(app, provider, started, { lies });
  const [identity] = (await identitiesOf(account.bearer)).identities;
  const url = `/api/auth/provider/identities/${identity.id}`;
  const unlinking = { method: 'DELETE', url, headers: account.bearer } as const;
  t.match((await app.inject({ ...unlinking, payload: { proof: 'none' } })).json(), { code: 'PROOF_NEEDED' });
  const payload = { proof: await proofOf(app, account.bearer) };
  t.equal((await app.inject({ ...unlinking, payload })).statusCode, 204);
  t.match((await finish(app, path, started.cookie)).json(), { code: 'PROVIDER_LOGIN_EXPIRED' });
});

t.test('with PASSWORD_LOGIN=off, a password is no way to log in, to register or to unlink', async (t) => {
  const off = await buildTestApp(t, { ...settingsFor(provider), passwordLogin: 'off' });
  const post = (url: string, payload: object) => off.inject({ method: 'POST', url: `/api/auth/${url}`, payload });
  const names = { username: 'amal', email: 'amal@example.com' };
  for (const [url, payload] of [
    ['login', { email: names.email, password: 'a long enough password' }],
    ['register', { ...names, password: 'a long enough password' }],
    ['forgot', { email: names.email }],
    ['reset', { token: 'x', password: 'a long enough password' }],
  ] as const) {
    t.match((await post(url, payload)).json(), { statusCode: 403, code: 'PASSWORD_LOGIN_OFF' }, url);
  }
  const { bearer, user } = await logInByProvider(off, provider);
  const listed = await off.inject({ url: '/api/auth/provider/identities', headers: bearer });
  const url = `/api/auth/provider/identities/${listed.json().identities[0].id}`;
  const proof = { proof: await proofOf(off, bearer) };
  await off.db.execute(`update users set password_hash = 'x' where id = '${user.id}'`);
  t.match((await off.inject({ method: 'DELETE', url, headers: bearer, payload: proof })).json(), {
    code: 'LAST_LOGIN',
  });
  const options = (await off.inject('/api/auth/config')).json();
  t.match(options, { password_login: false, provider: { label: null, auto: false } });
});

t.test('disabled and pending accounts are refused, and not changed', async (t) => {
  const { user } = await logInByProvider(app, provider, person('gone'));
  await app.db.execute(`update users set pending_since = now() where id = '${user.id}'`);
  const enter = async () => returnTo(app, provider, await startLogin(app), { lies: person('gone') });
  t.equal(await enter(), '/login?local#problem=pending');
  await app.db.execute(`update users set pending_since = null where id = '${user.id}'`);

  const [started, lies] = [await startLogin(app), person('gone')];
  const path = await returnTo(app, provider, started, { lies });
  await setDisabled(app.db, user.id, true);
  t.match((await finish(app, path, started.cookie)).json(), { code: 'ACCOUNT_DISABLED' }, 'between the two steps');
  t.equal(await enter(), '/login?local#problem=disabled');
});

t.test('role and quota follow the claims at each login', async (t) => {
  const oidcRoleClaim = { claim: 'groups', value: 'gallery-admins' };
  const mapped = await buildTestApp(t, { ...settingsFor(provider), oidcRoleClaim, oidcQuotaClaim: 'gallery_quota' });
  const enter = async (name: string, more: object, userinfo = {}) => {
    const { claims } = person(name, more);
    const { user } = await logInByProvider(mapped, provider, { claims, userinfo });
    const [row] = await mapped.db.execute(`select role, quota_bytes from users where id = '${user.id}'`);
    return row;
  };
  const admins = ['staff', 'gallery-admins'];
  t.match(await enter('boss', { groups: admins, gallery_quota: '10GB' }), {
    role: 'admin',
    quota_bytes: '10000000000',
  });
  t.match(await enter('boss', {}), { role: 'admin', quota_bytes: '10000000000' }, 'the last administrator stays one');
  t.match(await enter('second', {}, { groups: admins }), { role: 'admin' }, 'groups of the userinfo');
  t.match(await enter('second', { groups: ['staff'] }, { groups: admins }), { role: 'user' }, 'the ID token decides');
  t.match(await enter('second', { groups: 'gallery-admins', gallery_quota: 5e6 }), {
    role: 'admin',
    quota_bytes: '5000000',
  });
  t.match(await enter('boss', {}), { role: 'user' }, 'someone who has left the group');
  t.match(await enter('second', { groups: admins, gallery_quota: 'lots' }), { quota_bytes: '5000000' }, 'no size');
});

t.test('claims inside another claim are found by their path', async (t) => {
  const oidcRoleClaim = { claim: 'realm_access.roles', value: 'gallery-admin' };
  const mapped = await buildTestApp(t, { ...settingsFor(provider), oidcRoleClaim });
  const { user } = await logInByProvider(
    mapped,
    provider,
    person('keycloak', { realm_access: { roles: ['gallery-admin'] } }),
  );
  const [row] = await mapped.db.execute(`select role from users where id = '${user.id}'`);
  t.match(row, { role: 'admin' });
});

t.test('without OIDC_ROLE_CLAIM, roles are as administrators set them', async (t) => {
  const { user } = await logInByProvider(app, provider, person('local-admin', { groups: ['admin'], role: 'admin' }));
  t.match(await rowOf(user.id), { role: 'user' });
  await setRole(app.db, user.id, 'admin');
  await logInByProvider(app, provider, person('local-admin'));
  t.match(await rowOf(user.id), { role: 'admin' });
});

t.test('a share from another app survives the login', async (t) => {
  const path = await returnTo(app, provider, await startLogin(app, '?share=abc-1'), { lies: person('sharer') });
  t.match(path, /^\/login\?share=abc-1#provider=/);
  const refused = await app.inject({ url: '/api/auth/provider/start?share=//evil.example' });
  t.equal(refused.statusCode, 400);
});

t.test('a server without a provider has none of its ways', async (t) => {
  const plain = await buildTestApp(t);
  t.match((await plain.inject('/api/auth/config')).json(), { password_login: true, provider: null });
  for (const url of ['start', 'callback?state=x']) {
    t.match((await plain.inject(`/api/auth/provider/${url}`)).json(), { statusCode: 404, code: 'NO_PROVIDER' });
  }
  const { bearer } = await signIn(plain);
  const call = { method: 'POST', url: '/api/auth/provider/link', headers: bearer } as const;
  const linking = await plain.inject({ ...call, payload: { proof: await proofOf(plain, bearer) } });
  t.match(linking.json(), { code: 'NO_PROVIDER' });
  const listed = await plain.inject({ url: '/api/auth/provider/identities', headers: bearer });
  t.same(listed.json(), { identities: [], can_link: false });
});

t.test('the audit log names logins, links and changes by claims', async (t) => {
  const seen = new Set<string>();
  for await (const rows of eachEntry(app.db, {})) {
    for (const { action, details } of rows)
      seen.add(
        `${action} ${(details as { method?: string; by?: string }).method ?? (details as { by?: string }).by ?? ''}`.trim(),
      );
  }
  for (const entry of ['login provider', 'account.registered provider', 'provider.linked', 'provider.unlinked']) {
    t.ok(seen.has(entry), entry);
  }
});
