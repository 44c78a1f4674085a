/** Passkeys against a whole server, with a device in software. */
import t from 'tap';
import { signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { addPasskey, callsOf, prove } from '../../testing/second-factor.ts';
import { setDisabled } from '../queries.ts';

const app = await buildTestApp(t);

type App = typeof app;
type Device = ReturnType<typeof createAuthenticator>;
type Lies = Parameters<Device['answer']>[1];

const ask = async (on: App = app) => (await on.inject({ method: 'POST', url: '/api/auth/passkey/options' })).json();
const answer = (passkey: object, on: App = app) =>
  on.inject({ method: 'POST', url: '/api/auth/passkey', payload: { passkey } });
const logIn = async (device: Device, lies?: Lies, on: App = app) => answer(device.answer(await ask(on), lies), on);
const refused = { statusCode: 401, code: 'PASSKEY_NOT_ACCEPTED' };

/** Base64url with another letter in the middle. */
const turned = (text: string) => text.slice(0, 40) + (text[40] === 'A' ? 'B' : 'A') + text.slice(41);

/** An account that has shown its password, and the request for its new passkey. */
async function registering(account: TestAccount) {
  const call = callsOf(app, account);
  const proof = await prove(call, account.password);
  const options = (await call('POST', '/passkeys/options', { proof })).json();
  return { call, proof, options };
}

t.test('a passkey logs in alone, and the session shows it', async (t) => {
  const account = await signIn(app);
  const { device, codes } = await addPasskey(app, account);
  t.equal(codes.length, 10, 'the first factor brings recovery codes');
  const done = await logIn(device);
  t.equal(done.statusCode, 200);
  t.match(done.json(), { access_token: /./, user: { id: account.id } });
  t.match(done.cookies, [{ name: 'session', httpOnly: true }]);
  const bearer = { authorization: `Bearer ${done.json().access_token}` };
  const { sessions } = (await callsOf(app, { bearer })('GET', '/sessions')).json();
  t.match(
    sessions.find(({ current }: { current: boolean }) => current),
    { method: 'passkey', second_factor: null },
  );
  const { passkeys } = (await callsOf(app, { bearer })('GET', '/factors')).json();
  t.match(passkeys, [{ name: /./, synced: false, used_at: /^\d{4}-/ }]);
});

t.test('the request is for discoverable passkeys with verified users', async (t) => {
  const account = await signIn(app);
  const { options } = await registering(account);
  t.match(options.options, {
    rp: { id: 'localhost' },
    user: { name: account.email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [],
  });
  t.match((await ask()).options, { rpId: 'localhost', userVerification: 'required' });
  await addPasskey(app, account);
  t.equal(
    (await registering(account)).options.options.excludeCredentials.length,
    1,
    'no second one on the same device',
  );
});

t.test('each request is answered once, also at the same time', async (t) => {
  const { device } = await addPasskey(app, await signIn(app), createAuthenticator({ counts: false }));
  const made = device.answer(await ask());
  const answers = await Promise.all(Array.from({ length: 8 }, () => answer(made)));
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1);
  t.match((await answer(made)).json(), refused);
});

t.test('answers for another site, without a verified user or with a forged challenge are refused', async (t) => {
  const { device } = await addPasskey(app, await signIn(app));
  const { challenge } = (await ask()).options;
  const lies: [string, Lies][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:8080' }],
    ['another RP ID', { rpId: 'evil.example' }],
    ['no user verification', { isVerified: false }],
    ['an unknown challenge', { challenge: 'x'.repeat(43) }],
    ['no challenge', { challenge: '' }],
    ['another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ];
  for (const [name, lie] of lies) t.match((await logIn(device, lie)).json(), refused, name);
  const good = device.answer(await ask());
  const broken = { ...good, response: { ...good.response, signature: turned(good.response.signature) } };
  t.match((await answer(broken)).json(), refused, 'a broken signature');
  const text = { ...good, response: { ...good.response, clientDataJSON: 'bm90IGpzb24' } };
  t.match((await answer(text)).json(), refused, 'no JSON');
  t.match((await logIn(createAuthenticatorWithStranger())).json(), refused, 'an unknown passkey');
  t.equal((await logIn(device, { challenge })).statusCode, 200, 'the first request is still open');
});

function createAuthenticatorWithStranger(): Device {
  const device = createAuthenticator();
  device.make({ options: { challenge: 'x', rp: { id: 'localhost' }, user: { id: 'AAAAAAAAAAAAAAAAAAAAAA' } } });
  return device;
}

t.test('a counter that does not grow is a copy, and refused; a device that does not count is accepted', async (t) => {
  const { device } = await addPasskey(app, await signIn(app));
  t.equal((await logIn(device, { counter: 7 })).statusCode, 200);
  t.match((await logIn(device, { counter: 7 })).json(), refused);
  t.match((await logIn(device, { counter: 6 })).json(), refused);
  t.match((await logIn(device, { counter: 0 })).json(), refused, 'a device that has counted counts');
  t.equal((await logIn(device, { counter: 8 })).statusCode, 200);
  const [one, two] = [device.answer(await ask(), { counter: 9 }), device.answer(await ask(), { counter: 9 })];
  const answers = await Promise.all([answer(one), answer(two)]);
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 401], 'two copies at once');
  const { device: synced } = await addPasskey(app, await signIn(app), createAuthenticator({ counts: false }));
  for (let times = 0; times < 3; times += 1) t.equal((await logIn(synced)).statusCode, 200);
});

t.test('a registration must answer the request of this session', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const device = createAuthenticator();
  const notAdded = { statusCode: 403, code: 'PASSKEY_NOT_ADDED' };
  const add = (by: TestAccount, passkey: object) => callsOf(app, by)('POST', '/passkeys', { passkey });
  for (const lie of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { isVerified: false },
    { challenge: 'x' },
  ]) {
    const { options } = await registering(account);
    t.match((await add(account, device.make(options, lie))).json(), notAdded, JSON.stringify(lie));
  }
  const { options } = await registering(account);
  t.match((await add(other, device.make(options))).json(), notAdded, 'another account');
  t.match((await add(account, device.make(options))).json(), notAdded, 'the request is used up');
  const login = device.make({ options: { ...(await ask()).options, rp: { id: 'localhost' }, user: { id: 'x' } } });
  t.match((await add(account, login)).json(), notAdded, 'the request of a login');
  const { options: again } = await registering(account);
  const made = device.make(again);
  const answers = await Promise.all([add(account, made), add(account, made)]);
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 403]);
  const taken = await registering(other);
  const same = device.make(taken.options);
  t.equal((await add(other, same)).statusCode, 201);
  const { options: third } = await registering(account);
  const copied = device.make(third);
  await app.db.execute(`update passkeys set credential_id = '${copied.id}' where credential_id = '${same.id}'`);
  t.match((await add(account, copied)).json(), notAdded, 'the id of another account’s passkey');
});

t.test('a passkey request needs a fresh proof of the same session', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const call = callsOf(app, account);
  const needed = { statusCode: 403, code: 'PROOF_NEEDED' };
  t.match((await call('POST', '/passkeys/options', { proof: 'x' })).json(), needed);
  const proof = await prove(callsOf(app, other), other.password);
  t.match((await call('POST', '/passkeys/options', { proof })).json(), needed, 'of another account');
  const own = await prove(call, account.password);
  await app.db.execute("update challenges set expires_at = now() - interval '1 second' where kind = 'proof'");
  t.match((await call('POST', '/passkeys/options', { proof: own })).json(), needed, 'too old');
  t.match((await call('POST', '/proof', { password: 'wrong' })).json(), { code: 'WRONG_PASSWORD' });
  t.match((await call('POST', '/proof', {})).json(), { code: 'PROOF_NOT_ACCEPTED' });
});

t.test('a passkey is a proof too, but only for its own account', async (t) => {
  const account = await signIn(app);
  const other = await signIn(app);
  const { device } = await addPasskey(app, account);
  const { device: foreign } = await addPasskey(app, other);
  const call = callsOf(app, account);
  const request = async () => (await call('POST', '/proof/passkey')).json();
  t.match((await call('POST', '/proof', { passkey: foreign.answer(await request()) })).json(), {
    code: 'PROOF_NOT_ACCEPTED',
  });
  t.match((await call('POST', '/proof', { passkey: device.answer(await ask()) })).json(), {
    code: 'PROOF_NOT_ACCEPTED',
  });
  const { proof } = (await call('POST', '/proof', { passkey: device.answer(await request()) })).json();
  t.equal((await call('POST', '/passkeys/options', { proof })).statusCode, 200);
});

t.test('passkeys are renamed, removed and at most twenty, and those of other accounts stay', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const { id, device, proof } = await addPasskey(app, account);
  const { id: foreign } = await addPasskey(app, other);
  const call = callsOf(app, account);
  t.match((await call('PATCH', `/passkeys/${id}`, { name: ' My\nphone ' })).json(), { passkey: { name: 'My phone' } });
  t.match((await call('PATCH', `/passkeys/${id}`, { name: ' ' })).json(), { code: 'INVALID_REQUEST' });
  for (const wrong of [foreign, 'x']) {
    t.equal((await call('PATCH', `/passkeys/${wrong}`, { name: 'Mine' })).statusCode, 404);
    t.equal((await call('DELETE', `/passkeys/${wrong}`, { proof })).statusCode, 404);
  }
  t.match((await call('DELETE', `/passkeys/${id}`, { proof: 'x' })).json(), { code: 'PROOF_NEEDED' });
  t.equal((await call('DELETE', `/passkeys/${id}`, { proof })).statusCode, 204);
  t.match((await logIn(device)).json(), refused);
  t.match(
    (await call('GET', '/factors')).json(),
    { passkeys: [], recovery_codes: 0 },
    'codes end with the last factor',
  );
  await app.db.execute(`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, synced, name)
    select gen_random_uuid(), '${account.id}', 'made-' || n, '', 0, '{}', false, 'made' from generate_series(1, 19) n`);
  const { options } = await registering(account);
  await app.db.execute(`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, synced, name)
    values (gen_random_uuid(), '${account.id}', 'made-20', '', 0, '{}', false, 'made')`);
  const made = createAuthenticator().make(options);
  t.match((await call('POST', '/passkeys', { passkey: made })).json(), { statusCode: 409, code: 'TOO_MANY_PASSKEYS' });
  t.match((await call('POST', '/passkeys/options', { proof })).json(), { code: 'TOO_MANY_PASSKEYS' });
});

t.test('a disabled or pending account learns so after its passkey, and gets no session', async (t) => {
  const account = await signIn(app);
  const { device } = await addPasskey(app, account);
  await setDisabled(app.db, account.id, true);
  t.match((await logIn(device)).json(), { statusCode: 403, code: 'ACCOUNT_DISABLED' });
  await setDisabled(app.db, account.id, false);
  await app.db.execute(`update users set pending_since = now() where id = '${account.id}'`);
  t.match((await logIn(device)).json(), { statusCode: 403, code: 'ACCOUNT_PENDING' });
});

t.test('where passkeys cannot work, the server offers none and says why', async (t) => {
  for (const [publicUrl, obstacle] of [
    ['http://img.example.com', 'insecure'],
    ['https://192.168.1.5', 'ip-address'],
  ] as const) {
    const there = await buildTestApp(t, { publicUrl });
    const account = await signIn(there);
    const call = callsOf(there, account);
    t.match((await there.inject('/api/auth/config')).json(), { passkeys: false });
    t.match((await call('GET', '/factors')).json(), { passkey_obstacle: obstacle });
    const proof = await prove(call, account.password);
    t.match((await call('POST', '/passkeys/options', { proof })).json(), { code: 'PASSKEYS_UNAVAILABLE' });
    t.match(await ask(there), { statusCode: 403, code: 'PASSKEYS_UNAVAILABLE' });
  }
  t.match((await app.inject('/api/auth/config')).json(), { passkeys: true });
  const headers = { host: 'gallery.example' };
  t.match((await app.inject({ url: '/api/auth/config', headers })).json(), { passkeys: false }, 'a host may be forged');
});
