/** What the first proof of an account's mailbox ends: its ways in may be those of a stranger who knew the email. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { parseDatabaseUrl } from '../database/address.ts';
import { openClient } from '../database/client.ts';
import { hashToken, newToken } from '../mail/token.ts';
import { logIn, proofOf, signIn, type TestAccount } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { startMailServer } from '../testing/mail/mail-server.ts';
import { mailsSent } from '../testing/mail/mails-sent.ts';
import { secretOf } from '../testing/mail/secret-of.ts';
import { waitingForLocks } from '../testing/waiting.ts';
import { insertReset } from './password-reset/queries.ts';

const post = await startMailServer(t);
const mailed = { smtpUrl: post.url, mailFrom: 'gallery@example.com', publicUrl: 'https://img.example.com' };
const config = await testConfig(t, mailed);
const app = await buildTestApp(t, config);
const password = 'a long enough password';
const renewed = 'another long password';

type Server = typeof app;

const send = (url: string, payload: object, server: Server = app) =>
  server.inject({ method: 'POST', url: `/api/auth/${url}`, payload });

async function register(server: Server = app): Promise<TestAccount> {
  const username = `u-${randomUUID().slice(0, 8)}`;
  const email = `${username}@example.com`;
  const answer = await send('register', { username, email, password, language: 'ar' }, server);
  t.equal(answer.statusCode, 201);
  return logIn(server, { email, password });
}

/** Every way in, as a stranger makes them: rows, so that each kind is there whatever this server offers. */
async function openEveryWay(account: TestAccount, server: Server = app) {
  const { bearer } = await createApiToken(server, account, ['images:read'], { expires_in: null });
  const headers = account.bearer;
  const made = await server.inject({ method: 'POST', url: '/api/albums', headers, payload: { name: 'Trip' } });
  const payload = { album: made.json().album.id, name: 'Guests' };
  const link = (await server.inject({ method: 'POST', url: '/api/collect-links', headers, payload })).json()
    .collect_link;
  for (const statement of [
    `insert into identities (id, user_id, issuer, subject, label)
      values (gen_random_uuid(), '${account.id}', 'https://id.example', '${account.id}', 'stranger')`,
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced)
      values (gen_random_uuid(), '${account.id}', '${account.id}', '', 0, '{}', 'Phone', false)`,
    `insert into totp_secrets (user_id, secret, confirmed_at) values ('${account.id}', 'v1.x', now())`,
    `insert into recovery_codes (user_id, code_hash) values ('${account.id}', 'hash')`,
    `insert into challenges (token_hash, kind, user_id, data, expires_at)
      values ('${account.id}', 'provider-session', '${account.id}', '{}', now() + interval '1 minute')`,
  ])
    await server.db.execute(statement);
  return { bearer, link: `${new URL(link.url).pathname}/link` };
}

const tables = ['sessions', 'api_tokens', 'identities', 'passkeys', 'totp_secrets', 'recovery_codes', 'challenges'];

/** @returns the tables in which the account has rows */
async function waysOf({ id }: TestAccount, server: Server = app): Promise<string[]> {
  const having = [];
  for (const table of tables) {
    const owner = table === 'api_tokens' ? 'owner_id' : 'user_id';
    const rows = await server.db.execute(`select 1 from ${table} where ${owner} = '${id}'`);
    if (rows.length > 0) having.push(table);
  }
  return having;
}

const statusOf = async (url: string, headers = {}, server: Server = app) =>
  (await server.inject({ url, headers })).statusCode;

const confirmedAt = async ({ bearer }: TestAccount, server: Server = app) =>
  (await server.inject({ url: '/api/account', headers: bearer })).json().email_confirmed_at;

async function resetSecret({ email }: TestAccount, count: number): Promise<string> {
  await send('forgot', { email });
  return secretOf((await post.received(count, email)).at(-1));
}

/** @returns the secret of a link that an administrator makes */
async function handedOut({ id }: TestAccount): Promise<string> {
  const token = newToken();
  await insertReset(app.db, { id }, { tokenHash: hashToken(token), lifetimeMs: 60_000 });
  return token;
}

t.test('a new account works at once, and its first confirmation by mail ends every earlier way in', async (t) => {
  const account = await register();
  const [mail] = await post.received(1, account.email);
  const details = (await app.inject({ url: '/api/account', headers: account.bearer })).json();
  t.match(details, { email_confirmed_at: null, asks_confirmation: true });
  const { bearer, link } = await openEveryWay(account);
  t.same(await waysOf(account), tables);
  t.equal(await statusOf(link), 200);

  t.equal((await send('email', { token: secretOf(mail) })).statusCode, 204);
  t.same(await waysOf(account), []);
  t.same([await statusOf('/api/images', account.bearer), await statusOf('/api/images', bearer)], [401, 401]);
  t.equal(await statusOf(link), 410);
  const again = await logIn(app, account);
  const after = (await app.inject({ url: '/api/account', headers: again.bearer })).json();
  t.match(after, { email_confirmed_at: String, asks_confirmation: false });
  t.equal((await send('email', { token: secretOf(mail) })).json().code, 'EMAIL_LINK_DEAD', 'the link works once');
});

t.test('a call in flight leaves no way in that outlives the first confirmation', async (t) => {
  const client = openClient(parseDatabaseUrl(config.databaseUrl ?? ''));
  t.teardown(() => client.end());
  const account = await register();
  const [mail] = await post.received(1, account.email);
  const headers = account.bearer;
  const call = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    app.inject({ method, url, headers, payload });
  const made = await call('POST', '/api/albums', { name: 'Trip' });
  const album = made.json().album.id;
  const proof = await proofOf(app, headers);
  const { totp, link } = { totp: { proof }, link: { album, name: 'Guests' } };
  let answers: Promise<{ statusCode: number }>[] = [];
  // The confirmation waits first, and then the calls, whose sessions were live when they came.
  await client.begin(async (tx) => {
    await tx`select 1 from users where id = ${account.id} for no key update`;
    const confirmed = send('email', { token: secretOf(mail) });
    await eventually('the confirmation waits', async () => (await waitingForLocks(app.db)) === 1);
    answers = [
      call('POST', '/api/account/tokens', { name: 'late', scopes: ['images:read'], proof }),
      call('POST', '/api/account/factors/totp', totp),
      call('POST', '/api/collect-links', link),
      call('PATCH', '/api/account/mail', { login_mails: false }),
      call('PATCH', '/api/account', { email: `late-${account.email}`, password }),
    ];
    await eventually('the calls wait', async () => (await waitingForLocks(app.db)) > 1);
    answers.unshift(confirmed);
  });
  const [confirmed, ...late] = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  t.equal(confirmed, 204);
  t.same(late.slice(0, 4), [401, 401, 401, 401]);
  t.ok(late[4] !== 200, `${late[4]}`);
  t.same(await waysOf(account), []);
  t.same(await app.db.execute(`select 1 from collect_links where owner_id = '${account.id}'`), []);
  const [row] = await app.db.execute(`select email, login_mails from users where id = '${account.id}'`);
  t.same(row, { email: account.email, login_mails: true });
});

t.test('the link to confirm is mailed again until it was used', async (t) => {
  const account = await register();
  const resend = async () => app.inject({ method: 'POST', url: '/api/account/mail/resend', headers: account.bearer });
  await post.received(1, account.email);
  t.match((await resend()).json(), { email: account.email });
  const [first, second] = await post.received(2, account.email);
  const mail = { url: '/api/account/mail', headers: account.bearer };
  t.equal((await app.inject(mail)).json().pending_email, null, 'it is no change of the email');
  t.equal((await send('email', { token: secretOf(first) })).statusCode, 400, 'the newer link replaces it');
  t.equal((await send('email', { token: secretOf(second) })).statusCode, 204);
  const { bearer } = await logIn(app, account);
  const none = await app.inject({ method: 'POST', url: '/api/account/mail/resend', headers: bearer });
  t.equal(none.statusCode, 404);
});

t.test('the first reset by mail ends every earlier way in, also if tokens are to be kept', async (t) => {
  const account = await signIn(app);
  const { bearer, link } = await openEveryWay(account);
  const token = await resetSecret(account, 2);
  const offer = (await send('reset/offer', { token })).json();
  t.match(offer, {
    confirms: true,
    ways_in: { passkeys: ['Phone'], identities: ['stranger'], authenticator_app: true },
  });
  t.equal((await send('reset', { token, password: renewed, end_tokens: false })).statusCode, 204);
  t.same(await waysOf(account), []);
  t.same([await statusOf('/api/images', bearer), await statusOf(link)], [401, 410]);
  t.equal((await send('reset/offer', { token })).json().code, 'RESET_LINK_DEAD');
  t.type(await confirmedAt(await logIn(app, { ...account, password: renewed })), 'string');
});

t.test('a reset of a confirmed account ends API tokens unless they are kept, and no other way in', async (t) => {
  for (const keeps of [false, true]) {
    const account = await signIn(app);
    await app.db.execute(`update users set email_confirmed_at = now() where id = '${account.id}'`);
    const { link } = await openEveryWay(account);
    const token = await resetSecret(account, 2);
    t.match((await send('reset/offer', { token })).json(), {
      confirms: false,
      ways_in: { api_tokens: ['a program'], collect_links: ['Guests'] },
    });
    const fields = keeps ? { end_tokens: false } : {};
    t.equal((await send('reset', { token, password: renewed, ...fields })).statusCode, 204);
    const stay = ['identities', 'passkeys', 'totp_secrets', 'recovery_codes', 'challenges'];
    t.same(await waysOf(account), [...(keeps ? ['api_tokens'] : []), ...stay]);
    t.equal(await statusOf(link), 200);
  }
});

t.test('a link from an administrator proves no mailbox', async (t) => {
  const account = await signIn(app);
  await openEveryWay(account);
  const token = await handedOut(account);
  t.match((await send('reset/offer', { token })).json(), { confirms: false });
  t.equal((await send('reset', { token, password: renewed })).statusCode, 204);
  t.same(await waysOf(account), ['identities', 'passkeys', 'totp_secrets', 'recovery_codes', 'challenges']);
});

t.test('without mail, another email is unconfirmed again, and nobody is asked', async (t) => {
  const silent = await buildTestApp(t);
  const account = await register(silent);
  await silent.db.execute(`update users set email_confirmed_at = now() where id = '${account.id}'`);
  const change = (email: string) => ({
    method: 'PATCH' as const,
    url: '/api/account',
    headers: account.bearer,
    payload: { email, password },
  });
  const kept = (await silent.inject(change(account.email.toUpperCase()))).json();
  const same = await confirmedAt({ ...account, bearer: { authorization: `Bearer ${kept.access_token}` } }, silent);
  t.type(same, 'string', 'the same mailbox');
  const headers = { authorization: `Bearer ${kept.access_token}` };
  const moved = (await silent.inject({ ...change(`other-${account.email}`), headers })).json();
  const bearer = { authorization: `Bearer ${moved.access_token}` };
  const details = (await silent.inject({ url: '/api/account', headers: bearer })).json();
  t.match(details, { email_confirmed_at: null, asks_confirmation: false });
});

t.test('where passwords are turned off, a confirmed email ends no way in', async (t) => {
  const account = await signIn(app);
  await openEveryWay(account);
  const provider = { oidcIssuer: 'https://id.example', oidcClientId: 'gallery' };
  const off = await buildTestApp(t, { ...config, passwordLogin: 'off', ...provider });
  await app.inject({ method: 'POST', url: '/api/account/mail/resend', headers: account.bearer });
  await mailsSent(app, post);
  const mail = post.mailsTo(account.email).findLast((one) => secretOf(one) !== '');
  t.equal((await send('email', { token: secretOf(mail) }, off)).statusCode, 204);
  t.same(await waysOf(account), tables);
});
