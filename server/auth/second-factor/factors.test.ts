/** Changes of second factors, and servers that require one. */
import t from 'tap';
import type { Config } from '../../config/config.ts';
import { logIn, signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { addPasskey, addTotp, callsOf, codeOf, finish, logInWith, prove, stepOf } from '../../testing/second-factor.ts';
import { setRole } from '../roles/queries.ts';

const app = await buildTestApp(t);
const required = { statusCode: 403, code: 'SECOND_FACTOR_REQUIRED' };

t.test('an authenticator app counts once its first code was right', async (t) => {
  const account = await signIn(app);
  const call = callsOf(app, account);
  t.match((await call('POST', '/factors/totp', { proof: 'x' })).json(), { statusCode: 403, code: 'PROOF_NEEDED' });
  const proof = await prove(call, account.password);
  const { secret, uri } = (await call('POST', '/factors/totp', { proof })).json();
  t.match(uri, /^otpauth:\/\/totp\/localhost:/);
  t.match((await call('POST', '/factors/totp/confirm', { proof, code: '000000' })).json(), { code: 'WRONG_CODE' });
  t.match((await call('GET', '/factors')).json(), { totp: false, recovery_codes: 0 });
  t.equal((await logInWith(app, account)).statusCode, 200, 'an unconfirmed one asks nobody');
  const { secret: second } = (await call('POST', '/factors/totp', { proof })).json();
  t.not(second, secret, 'a new secret replaces an unconfirmed one');
  t.match((await call('POST', '/factors/totp/confirm', { proof, code: codeOf(secret) })).json(), {
    code: 'WRONG_CODE',
  });
  const confirm = () => call('POST', '/factors/totp/confirm', { proof, code: codeOf(second) });
  const answers = await Promise.all([confirm(), confirm()]);
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 403]);
  t.match((await call('POST', '/factors/totp', { proof })).json(), { statusCode: 409, code: 'FACTOR_EXISTS' });
  const [{ sealed } = {}] = (await app.db.execute(
    `select secret as sealed from totp_secrets where user_id = '${account.id}'`,
  )) as unknown as { sealed: string }[];
  t.notMatch(sealed, new RegExp(second), 'stored sealed');
  t.equal((await call('DELETE', '/factors/totp', { proof })).statusCode, 204);
  t.match((await call('DELETE', '/factors/totp', { proof })).json(), { statusCode: 404 });
  t.match((await call('GET', '/factors')).json(), { totp: false, recovery_codes: 0 });
  t.match((await call('POST', '/factors/recovery-codes', { proof })).json(), { statusCode: 409, code: 'NO_FACTOR' });
  t.equal((await logInWith(app, account)).statusCode, 200);
});

t.test('a proof of one session is none in another', async (t) => {
  const account = await signIn(app);
  const { access_token: token } = (await logInWith(app, account)).json();
  const proof = await prove(callsOf(app, account), account.password);
  const other = callsOf(app, { bearer: { authorization: `Bearer ${token}` } });
  t.match((await other('POST', '/factors/totp', { proof })).json(), { code: 'PROOF_NEEDED' });
});

t.test('the second factor of an account brings no second set of codes', async (t) => {
  const account = await signIn(app);
  t.equal((await addTotp(app, account)).codes.length, 10);
  t.equal((await addPasskey(app, account)).codes.length, 0);
  const { proof } = await addPasskey(app, account);
  t.equal((await callsOf(app, account)('DELETE', '/factors/totp', { proof })).statusCode, 204);
  t.match((await callsOf(app, account)('GET', '/factors')).json(), { recovery_codes: 10, passkeys: [{}, {}] });
});

async function requiring(t: Parameters<typeof buildTestApp>[0], requireSecondFactor: Config['requireSecondFactor']) {
  const server = await buildTestApp(t, { requireSecondFactor });
  const images = (account: Pick<TestAccount, 'bearer'>) =>
    server.inject({ url: '/api/images', headers: account.bearer });
  return { server, images };
}

t.test('required of all: a login without a factor reaches only what sets one up', async (t) => {
  const { server, images } = await requiring(t, 'all');
  const account = await signIn(server);
  t.match((await images(account)).json(), required);
  for (const [method, url] of [
    ['GET', '/api/account/sessions'],
    ['POST', '/api/account/tokens'],
    ['PATCH', '/api/account'],
    ['DELETE', '/api/account'],
    ['GET', '/api/albums'],
    ['POST', '/api/images/upload'],
  ] as const) {
    t.match((await server.inject({ method, url, headers: account.bearer })).json(), required, `${method} ${url}`);
  }
  const call = callsOf(server, account);
  t.equal((await server.inject({ url: '/api/auth/me', headers: account.bearer })).statusCode, 200);
  t.match((await call('GET', '/factors')).json(), { required: true, totp: false });
  const { proof } = await addTotp(server, account);
  t.equal((await images(account)).statusCode, 200, 'the same session goes on');
  t.match((await call('DELETE', '/factors/totp', { proof })).json(), { statusCode: 409, code: 'LAST_FACTOR' });
  const { id } = await addPasskey(server, account);
  const both = await Promise.all([
    call('DELETE', '/factors/totp', { proof }),
    call('DELETE', `/passkeys/${id}`, { proof }),
  ]);
  t.same(both.map(({ statusCode }) => statusCode).sort(), [204, 409], 'one of two removals at once');
  t.equal((await images(account)).statusCode, 200);
});

t.test('required of admins: also of one who becomes it', async (t) => {
  const { server, images } = await requiring(t, 'admins');
  const account = await signIn(server);
  t.equal((await images(account)).statusCode, 200);
  await setRole(server.db, account.id, 'admin');
  t.match((await images(account)).json(), required);
  await addPasskey(server, account);
  t.equal((await images(account)).statusCode, 200);
});

t.test('sessions of an identity provider need no further factor', async (t) => {
  const { server, images } = await requiring(t, 'all');
  const account = await signIn(server);
  await server.db.execute(`update sessions set method = 'provider' where user_id = '${account.id}'`);
  t.match((await images(account)).json(), { code: 'SECOND_FACTOR_REQUIRED' }, 'not if the identity was unlinked');
  await server.db.execute(`with identity as (insert into identities (id, user_id, issuer, subject, label)
    values (gen_random_uuid(), '${account.id}', 'https://id.example', 'noor', 'noor') returning id)
    update sessions set identity_id = (select id from identity) where user_id = '${account.id}'`);
  t.equal((await images(account)).statusCode, 200);
});

t.test('the last passkey of an account without a password stays, unless a provider knows the account', async (t) => {
  const account = await signIn(app);
  const { id, device } = await addPasskey(app, account);
  const call = callsOf(app, account);
  await app.db.execute(`update users set password_hash = null where id = '${account.id}'`);
  t.match((await logInWith(app, account)).json(), { code: 'WRONG_CREDENTIALS' });
  t.match((await call('POST', '/proof', { password: account.password })).json(), { code: 'WRONG_PASSWORD' });
  t.match((await call('POST', '/proof', {})).json(), { code: 'PROOF_NOT_ACCEPTED' });
  const request = (await call('POST', '/proof/passkey')).json();
  const { proof } = (await call('POST', '/proof', { passkey: device.answer(request) })).json();
  t.match((await call('DELETE', `/passkeys/${id}`, { proof })).json(), { statusCode: 409, code: 'LAST_WAY_IN' });
  await app.db.execute(`insert into identities (id, user_id, issuer, subject, label)
    values (gen_random_uuid(), '${account.id}', 'https://id.example', 'noor', 'noor')`);
  t.match((await call('DELETE', `/passkeys/${id}`, { proof })).json(), { code: 'LAST_WAY_IN' }, 'of another provider');
  await app.db.execute(`delete from passkeys where user_id = '${account.id}'`);
  t.match((await call('POST', '/proof', {})).json(), { code: 'PROOF_NOT_ACCEPTED' }, 'not by a session of a password');
  await app.db.execute(`update sessions set method = 'provider' where user_id = '${account.id}'`);
  t.equal((await call('POST', '/proof', {})).statusCode, 200, 'right after a login at the provider');
  await app.db.execute(`update sessions set created_at = now() - interval '6 minutes' where user_id = '${account.id}'`);
  t.match((await call('POST', '/proof', {})).json(), { code: 'PROOF_NOT_ACCEPTED' });
});

t.test('the audit log notes each factor, without secrets', async (t) => {
  const account = await signIn(app);
  const { codes, secret, proof } = await addTotp(app, account);
  const { id } = await addPasskey(app, account);
  const call = callsOf(app, account);
  await call('POST', '/factors/recovery-codes', { proof });
  await call('PATCH', `/passkeys/${id}`, { name: 'Phone' });
  await call('DELETE', `/passkeys/${id}`, { proof });
  t.equal((await finish(app, { token: await stepOf(app, account), code: codeOf(secret, 1) })).statusCode, 200);
  const log = (await app.db.execute(
    `select action, details from audit_log where account_id = '${account.id}' order by id`,
  )) as unknown as { action: string; details: object }[];
  t.match(log, [
    { action: 'login' },
    { action: 'factor.added', details: { factor: 'totp' } },
    { action: 'factor.added', details: { factor: 'passkey', name: /./ } },
    { action: 'factor.added', details: { factor: 'recovery-codes' } },
    { action: 'factor.renamed', details: { factor: 'passkey', name: 'Phone' } },
    { action: 'factor.removed', details: { factor: 'passkey', name: 'Phone' } },
    { action: 'login', details: { method: 'password', second_factor: 'totp' } },
  ]);
  t.notMatch(JSON.stringify(log), new RegExp([secret, proof, ...codes].join('|')));
});

t.test('wrong proofs are in the audit log, at most 20 an hour', async (t) => {
  const strict = await buildTestApp(t, { rateLimit: 'on' });
  const account = await signIn(strict);
  const call = callsOf(strict, account);
  const { device } = await addPasskey(strict, account);
  const passkey = device.answer((await call('POST', '/proof/passkey')).json());
  t.equal((await call('POST', '/proof', { passkey })).statusCode, 200);
  t.match((await call('POST', '/proof', { passkey })).json(), { code: 'PROOF_NOT_ACCEPTED' }, 'a second time');
  const wrong = 'my-password-elsewhere';
  const own = { url: '/api/account', headers: account.bearer };
  await strict.inject({ ...own, method: 'DELETE', payload: { password: wrong } });
  await strict.inject({ ...own, method: 'PATCH', payload: { email: 'x@example.com', password: wrong } });
  const payload = { current_password: wrong, new_password: 'a new password' };
  await strict.inject({ ...own, url: '/api/account/password', method: 'POST', payload });
  const entries = async () => {
    const rows = await strict.db.execute(
      `select details, actor_id, address from audit_log where action = 'proof.failed' order by id`,
    );
    return rows as unknown as { details: object }[];
  };
  const by = { actor_id: account.id, address: '127.0.0.1' };
  const entry = (reason: string) => ({ details: { reason, more: false }, ...by });
  t.same(await entries(), [entry('passkey'), ...Array(3).fill(entry('password'))]);
  for (let number = 0; number < 20; number += 1) {
    await call('POST', '/proof', { passkey });
    // The limit of the address would refuse the later ones.
    await strict.db.execute("delete from rate_limits where key not like 'audit:%'");
  }
  const all = await entries();
  t.equal(all.length, 20);
  t.match(all.at(-1), { details: { reason: 'passkey', more: true } });
  t.notMatch(JSON.stringify(all), wrong);
});

t.test('the first second factor ends the other sessions, and a later one does not', async (t) => {
  for (const add of [addTotp, addPasskey]) {
    const account = await signIn(app);
    const isLive = async ({ bearer }: Pick<TestAccount, 'bearer'>) =>
      (await app.inject({ url: '/api/auth/me', headers: bearer })).statusCode === 200;
    const other = await logIn(app, account);
    await add(app, account);
    t.same([await isLive(account), await isLive(other)], [true, false]);
    const [kept] = (await app.db.execute(`insert into sessions (id, user_id, expires_at)
      values (gen_random_uuid(), '${account.id}', now() + interval '1 day') returning id`)) as unknown as {
      id: string;
    }[];
    await (add === addTotp ? addPasskey : addTotp)(app, account);
    t.equal((await app.db.execute(`select 1 from sessions where id = '${kept?.id}'`)).length, 1);
  }
});

t.test('where passwords are turned off, the old password proves nothing', async (t) => {
  const settings = { oidcIssuer: 'https://id.example', oidcClientId: 'gallery', publicUrl: 'http://localhost' };
  const config = await testConfig(t, settings);
  const before = await buildTestApp(t, config);
  const account = await signIn(before);
  const off = await buildTestApp(t, { ...config, passwordLogin: 'off' });
  const call = callsOf(off, account);
  const { password } = account;
  const refused = { statusCode: 403, code: 'PASSWORD_LOGIN_OFF' };
  t.match((await call('POST', '/proof', { password })).json(), refused);
  t.match((await call('PATCH', '', { email: 'other@example.com', password })).json(), refused);
  t.match((await call('DELETE', '', { password })).json(), refused);
  t.match((await call('POST', '/password', { current_password: password, new_password: password })).json(), refused);
  t.match((await call('GET', '/factors')).json(), { password_proof: false }, 'the page asks for none');
});
