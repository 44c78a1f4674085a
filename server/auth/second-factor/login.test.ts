/** Logins with a password and a second factor, against a whole server. */
import t from 'tap';
import { signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import {
  addPasskey,
  addTotp,
  callsOf,
  codeOf,
  finish,
  forgetSteps,
  logInWith,
  stepOf,
} from '../../testing/second-factor.ts';
import { setDisabled, setPassword } from '../queries.ts';

const app = await buildTestApp(t);
const limited = await buildTestApp(t, { rateLimit: 'on' });
const wrong = { statusCode: 401, code: 'WRONG_SECOND_FACTOR' };
const ended = { statusCode: 401, code: 'LOGIN_STEP_ENDED' };

const rowsOf = (query: string) => app.db.execute(query) as unknown as Promise<Record<string, unknown>[]>;

t.test('an account without factors logs in as ever', async (t) => {
  const account = await signIn(app);
  const answer = await logInWith(app, account);
  t.equal(answer.statusCode, 200);
  t.same(Object.keys(answer.json()).sort(), ['access_token', 'user']);
  t.equal((await logInWith(app, { ...account, password: 'wrong' })).json().second_factor, undefined);
});

t.test('a password alone opens no session, and a code does', async (t) => {
  const account = await signIn(app);
  const { secret, codes } = await addTotp(app, account);
  t.equal(codes.length, 10);
  const first = await logInWith(app, account);
  t.match(first.json(), {
    statusCode: 401,
    code: 'SECOND_FACTOR_NEEDED',
    second_factor: { token: /^[\w-]{43}$/, methods: ['totp', 'recovery-code'], expires_at: /^\d{4}-/ },
  });
  t.equal(first.cookies.length, 0);
  t.match((await logInWith(app, { ...account, password: 'wrong' })).json(), { code: 'WRONG_CREDENTIALS' });
  const { token } = first.json().second_factor;
  t.match((await finish(app, { token, code: '000000' })).json(), wrong);
  const done = await finish(app, { token, code: codeOf(secret, 1) });
  t.equal(done.statusCode, 200);
  t.same(Object.keys(done.json()).sort(), ['access_token', 'user']);
  t.match(done.cookies, [{ name: 'session' }]);
  t.match((await finish(app, { token, code: codeOf(secret, 1) })).json(), ended, 'the token is used up');
  const bearer = { authorization: `Bearer ${done.json().access_token}` };
  const call = callsOf(app, { bearer });
  const current = async (by = call) =>
    (await by('GET', '/sessions')).json().sessions.find((one: { current: boolean }) => one.current);
  t.match(await current(), { method: 'password', second_factor: 'totp' });
  const password = 'another long password';
  const changed = await call('POST', '/password', { current_password: account.password, new_password: password });
  const renewed = callsOf(app, { bearer: { authorization: `Bearer ${changed.json().access_token}` } });
  t.match(await current(renewed), { method: 'password', second_factor: 'totp' }, 'also after a new password');
  const log = await rowsOf(`select action, details from audit_log where actor_id = '${account.id}' order by id`);
  t.match(
    log.map(({ action }) => action),
    ['login', 'factor.added', 'login.failed', 'login', 'password.changed'].slice(0, 4),
  );
  t.match(log[2], { details: { reason: 'second-factor', method: 'code' } });
  t.notMatch(JSON.stringify(log), new RegExp(`${secret}|000000|${codes[0]}`));
});

t.test('a code works once, and none before it works later', async (t) => {
  const account = await signIn(app);
  const { secret } = await addTotp(app, account);
  t.match(
    (await finish(app, { token: await stepOf(app, account), code: codeOf(secret) })).json(),
    wrong,
    'the one that confirmed',
  );
  const code = codeOf(secret, 1);
  t.equal((await finish(app, { token: await stepOf(app, account), code })).statusCode, 200);
  t.match((await finish(app, { token: await stepOf(app, account), code })).json(), wrong, 'the same again');
  t.match(
    (await finish(app, { token: await stepOf(app, account), code: codeOf(secret) })).json(),
    wrong,
    'an earlier one',
  );
});

t.test('of many uses of one code at the same time, one opens a session', async (t) => {
  const account = await signIn(app);
  const { secret, codes } = await addTotp(app, account);
  const race = async (given: object) => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => stepOf(app, account)));
    const answers = await Promise.all(tokens.map((token) => finish(app, { token, ...given })));
    return answers.filter(({ statusCode }) => statusCode === 200).length;
  };
  t.equal(await race({ code: codeOf(secret, 1) }), 1);
  t.equal(await race({ recovery_code: codes[3] }), 1);
  const token = await stepOf(app, account);
  const answers = await Promise.all(codes.slice(4, 8).map((recovery_code) => finish(app, { token, recovery_code })));
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1, 'one login for one password');
});

t.test('a recovery code works once, in any case, and new ones end the old', async (t) => {
  const account = await signIn(app);
  const { codes, proof } = await addTotp(app, account);
  const [one = '', two = '', three = ''] = codes;
  const use = async (recovery_code: string) => finish(app, { token: await stepOf(app, account), recovery_code });
  t.equal((await use(one.toLowerCase().replaceAll('-', ' '))).statusCode, 200);
  t.match((await use(one)).json(), wrong);
  const call = callsOf(app, account);
  t.match((await call('GET', '/factors')).json(), {
    totp: true,
    recovery_codes: 9,
    required: false,
    has_password: true,
  });
  const other = await addTotp(app, await signIn(app));
  t.match((await use(other.codes[0] ?? '')).json(), wrong, 'of another account');
  t.match((await call('POST', '/factors/recovery-codes', { proof: 'x' })).json(), { code: 'PROOF_NEEDED' });
  const { recovery_codes: renewed } = (await call('POST', '/factors/recovery-codes', { proof })).json();
  t.equal(renewed.length, 10);
  t.match((await use(two)).json(), wrong);
  t.equal((await use(renewed[0])).statusCode, 200);
  const [{ hashes } = {}] = await rowsOf('select string_agg(code_hash, chr(32)) as hashes from recovery_codes');
  t.notMatch(hashes, new RegExp(three.slice(0, 4)), 'stored as hashes');
});

t.test('a passkey is a second factor too, but not one of another account or of another request', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const { device } = await addPasskey(app, account);
  const { device: foreign } = await addPasskey(app, other);
  const answer = await logInWith(app, account);
  t.same(answer.json().second_factor.methods, ['passkey', 'recovery-code']);
  const { token } = answer.json().second_factor;
  const ask = async (payload = { token }) =>
    (await app.inject({ method: 'POST', url: '/api/auth/second-factor/passkey', payload })).json();
  t.equal((await ask()).options.allowCredentials.length, 1);
  t.match(await ask({ token: 'x' }), ended);
  t.match((await finish(app, { token, passkey: foreign.answer(await ask()) })).json(), wrong);
  const login = (await app.inject({ method: 'POST', url: '/api/auth/passkey/options' })).json();
  t.match((await finish(app, { token, passkey: device.answer(login) })).json(), wrong, 'a request of the other login');
  const asSecond = device.answer(await ask());
  const alone = await app.inject({ method: 'POST', url: '/api/auth/passkey', payload: { passkey: asSecond } });
  t.match(alone.json(), { code: 'PASSKEY_NOT_ACCEPTED' }, 'its answer is no login of its own');
  const done = await finish(app, { token, passkey: device.answer(await ask()) });
  t.equal(done.statusCode, 200);
});

t.test('a token allows five tries, also at the same time', async (t) => {
  const account = await signIn(app);
  const { secret } = await addTotp(app, account);
  const token = await stepOf(app, account);
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, index) => finish(app, { token, code: String(100_000 + index) })),
  );
  const codes = guesses.map((answer) => answer.json().code).sort();
  t.same(codes, [...Array(7).fill('LOGIN_STEP_ENDED'), ...Array(5).fill('WRONG_SECOND_FACTOR')]);
  t.match((await finish(app, { token, code: codeOf(secret, 1) })).json(), ended);
});

t.test('an account allows ten wrong codes in a quarter of an hour, and other ways still work', async (t) => {
  const account = await signIn(limited);
  const { secret, codes } = await addTotp(limited, account);
  const fresh = () => stepOf(limited, account);
  for (let round = 0; round < 2; round += 1) {
    const token = await fresh();
    for (let guess = 0; guess < 5; guess += 1) {
      t.match((await finish(limited, { token, code: `00000${guess}` })).json(), wrong);
    }
  }
  const refused = await finish(limited, { token: await fresh(), code: codeOf(secret, 1) });
  t.match(refused.json(), { statusCode: 429 });
  t.ok(Number(refused.headers['retry-after']) > 60);
  t.equal((await finish(limited, { token: await fresh(), recovery_code: codes[0] })).statusCode, 200);
  const other = await signIn(limited);
  const { secret: its } = await addTotp(limited, other);
  t.equal((await finish(limited, { token: await stepOf(limited, other), code: codeOf(its, 1) })).statusCode, 200);
});

t.test('someone who knows the password does not keep the owner from logging in with a code', async (t) => {
  const account = await signIn(limited);
  const { secret, codes } = await addTotp(limited, account);
  const fresh = () => stepOf(limited, account);
  t.equal((await finish(limited, { token: await fresh(), code: codeOf(secret, 1) })).statusCode, 200);
  const elsewhere = { remoteAddress: '192.0.2.77' };
  for (let guess = 0; guess < 10; guess += 1) {
    t.match((await finish(limited, { token: await fresh(), code: '000000' }, elsewhere)).json(), wrong);
  }
  t.match((await finish(limited, { token: await fresh(), code: '000000' }, elsewhere)).json(), { statusCode: 429 });
  t.match((await finish(limited, { token: await fresh(), code: '000000' })).json(), wrong, 'a try at home is checked');
  t.equal((await finish(limited, { token: await fresh(), recovery_code: codes[0] })).statusCode, 200);
  const [row] = await limited.db.execute(`select string_agg(key, ' ') as keys from rate_limits`);
  t.notMatch(
    row?.keys,
    new RegExp(`known-codes:[^ ]*${account.id}`),
    'the table does not show who logged in from where',
  );
});

t.test('a step ends with its time, with a new password and with the account', async (t) => {
  const account = await signIn(app);
  const { secret } = await addTotp(app, account);
  const give = async (token: string) => {
    await forgetSteps(app);
    return (await finish(app, { token, code: codeOf(secret) })).json();
  };
  const old = await stepOf(app, account);
  await app.db.execute("update challenges set expires_at = now() where kind = 'second-factor'");
  t.match(await give(old), ended);
  const before = await stepOf(app, account);
  const token = await stepOf(app, account);
  await setDisabled(app.db, account.id, true);
  t.match(await give(token), { statusCode: 403, code: 'ACCOUNT_DISABLED' });
  t.match((await logInWith(app, account)).json(), { statusCode: 403, code: 'ACCOUNT_DISABLED' }, 'no step for it');
  await setDisabled(app.db, account.id, false);
  await setPassword(app.db, account.id, 'another hash');
  t.match(await give(before), ended);
});

t.test('a call gives exactly one factor, of a known step', async (t) => {
  const account = await signIn(app);
  await addTotp(app, account);
  const token = await stepOf(app, account);
  for (const given of [{}, { code: '1', recovery_code: '2' }]) {
    t.match((await finish(app, { token, ...given })).json(), { statusCode: 400, code: 'INVALID_REQUEST' });
  }
  t.match((await finish(app, { token: 'x\0', code: '123456' })).json(), ended);
  t.match((await finish(app, { token, recovery_code: '\0' })).json(), wrong);
});

t.test('a secret that another JWT_SECRET sealed is an error, not a way in', async (t) => {
  const account: TestAccount = await signIn(app);
  const { secret, codes } = await addTotp(app, account);
  await app.db.execute(`update totp_secrets set secret = 'v1.' || repeat('A', 64) where user_id = '${account.id}'`);
  const token = await stepOf(app, account);
  t.match((await finish(app, { token, code: codeOf(secret, 1) })).json(), { statusCode: 503, code: 'TOTP_UNREADABLE' });
  t.equal((await finish(app, { token, recovery_code: codes[0] })).statusCode, 200);
});
