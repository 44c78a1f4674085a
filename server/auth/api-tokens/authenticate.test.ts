import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { logIn, signIn } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { linesOf } from '../../testing/log-lines.ts';
import { setDisabled } from '../queries.ts';
import { createSecret } from './secret.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
/** Another process on the same database. */
const other = await buildTestApp(t, config);

type Headers = Record<string, string>;

const ask = (headers: Headers, on: FastifyInstance = app) => on.inject({ url: '/api/images', headers });
const statusOf = async (headers: Headers, on: FastifyInstance = app) => (await ask(headers, on)).statusCode;

t.test('a token is accepted as a bearer, bare and in X-API-Key, and nowhere else', async (t) => {
  const { secret } = await createApiToken(app, await signIn(app), ['images:read']);
  const accepted: Headers[] = [
    { authorization: `Bearer ${secret}` },
    { authorization: `bearer   ${secret} ` },
    { authorization: secret },
    { 'x-api-key': secret },
    { authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': secret },
    { authorization: 'a word', 'x-api-key': secret },
  ];
  for (const headers of accepted) t.equal(await statusOf(headers), 200, JSON.stringify(headers));
  const refused: Headers[] = [
    { authorization: `Basic ${secret}` },
    { cookie: `session=${secret}` },
    { 'x-token': secret },
  ];
  for (const headers of refused) t.equal(await statusOf(headers), 401, JSON.stringify(headers));
  for (const name of ['token', 'key', 'api_key', 'access_token', 'authorization'])
    t.equal((await app.inject(`/api/images?${name}=${secret}`)).statusCode, 401, name);
});

t.test('unknown, mistyped, ended, expired and resting tokens get one answer', async (t) => {
  const account = await signIn(app);
  const make = () => createApiToken(app, account, ['images:read']);
  const [ended, expired] = [await make(), await make()];
  await app.inject({ method: 'DELETE', url: `/api/account/tokens/${ended.id}`, headers: account.bearer });
  await app.db.execute(`update api_tokens set expires_at = now() where id = '${expired.id}'`);
  const resting = await signIn(app);
  const { bearer } = await createApiToken(app, resting, ['images:read']);
  await setDisabled(app.db, resting.id, true);
  const answers = [
    await ask({ authorization: `Bearer ${createSecret().secret}` }),
    await ask({ authorization: `Bearer ${ended.secret.slice(0, -1)}` }),
    await ask({ 'x-api-key': 'no secret at all' }),
    await ask(ended.bearer),
    await ask(expired.bearer),
    await ask(bearer),
  ].map(({ statusCode, body, headers: { 'x-request-id': _, date: __, ...headers } }) => ({
    statusCode,
    body,
    headers,
  }));
  t.match(answers[0], {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    body: /"UNAUTHORIZED".+"This API token is not accepted\. [^"]+ Create a new one in the settings/,
  });
  for (const answer of answers) t.same(answer, answers[0]);

  await setDisabled(app.db, resting.id, false);
  t.equal(await statusOf(bearer), 200, 'an enabled account has its tokens back');
});

t.test('an ended token is dead at once in every process', async (t) => {
  const account = await signIn(app);
  const { id, bearer } = await createApiToken(app, account, ['images:read']);
  t.same([await statusOf(bearer), await statusOf(bearer, other)], [200, 200]);
  await other.inject({ method: 'DELETE', url: `/api/account/tokens/${id}`, headers: account.bearer });
  t.same([await statusOf(bearer), await statusOf(bearer, other)], [401, 401]);
});

t.test('expired tokens are swept, and a deleted account takes its tokens along', async (t) => {
  const account = await signIn(app);
  const [kept, expired] = [
    await createApiToken(app, account, ['images:read']),
    await createApiToken(app, account, ['images:read']),
  ];
  await app.db.execute(`update api_tokens set expires_at = now() where id = '${expired.id}'`);
  await app.sweeps.sweepShared();
  const left = async () => {
    const rows = await app.db.execute<{ id: string }>(`select id from api_tokens where owner_id = '${account.id}'`);
    return rows.map(({ id }) => id);
  };
  t.same(await left(), [kept.id]);
  const payload = { password: account.password };
  await app.inject({ method: 'DELETE', url: '/api/account', headers: account.bearer, payload });
  t.same(await left(), []);
  t.equal(await statusOf(kept.bearer), 401);
});

t.test('beside a cookie or a session the token decides, and no origin is checked', async (t) => {
  const account = await signIn(app);
  const { bearer, secret } = await createApiToken(app, account, ['images:delete']);
  const remove = (headers: Headers) =>
    app.inject({
      method: 'DELETE',
      url: '/api/images/delete/none',
      headers: { ...headers, origin: 'https://evil.example' },
    });
  t.equal((await remove({ cookie: account.cookie })).json().code, 'FOREIGN_ORIGIN');
  t.equal((await remove({ ...bearer, cookie: account.cookie })).statusCode, 404, 'the token is admitted');
  t.equal((await ask({ ...bearer, cookie: account.cookie })).json().code, 'SCOPE_NEEDED', 'the cookie adds nothing');
  t.equal((await ask({ ...account.bearer, 'x-api-key': secret })).json().code, 'SCOPE_NEEDED');
  t.equal(await statusOf({ 'x-api-key': createSecret().secret, cookie: account.cookie }), 401, 'even a wrong one');
});

t.test('beside a cookie, credentials for this server decide, and those of a proxy are ignored', async (t) => {
  const { cookie } = await signIn(app);
  for (const authorization of ['nc_123', 'Bearer nc_123', 'Bearer', 'bearer  ', createSecret().secret])
    t.equal(await statusOf({ authorization, cookie }), 401, authorization);
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Digest username="a", realm="b"', 'Negotiate YII=', ' '])
    t.equal(await statusOf({ authorization, cookie }), 200, authorization);
});

t.test('a 401 names the invalid token of the call, if it had one', async (t) => {
  const account = await signIn(app);
  const challenge = async (headers: Headers, url = '/api/images') => {
    const answer = await app.inject({ url, headers });
    t.equal(answer.statusCode, 401, JSON.stringify(headers));
    return answer.headers['www-authenticate'];
  };
  const invalid = 'Bearer error="invalid_token"';
  const sent: Headers[] = [
    { authorization: 'Bearer nc_123' },
    { authorization: 'Bearer' },
    { authorization: 'nc_123' },
    { 'x-api-key': 'nc_123' },
  ];
  for (const headers of sent) t.equal(await challenge(headers), invalid, JSON.stringify(headers));
  t.equal(await challenge(account.bearer, '/api/account/tokens/current'), invalid, 'a session where a token is needed');
  await app.db.execute(`delete from sessions where user_id = '${account.id}'`);
  t.equal(await challenge(account.bearer), invalid, 'a session that ended');
  const none: Headers[] = [{}, { cookie: account.cookie }, { authorization: 'Basic dXNlcjpwYXNz' }];
  for (const headers of none) t.equal(await challenge(headers), 'Bearer', JSON.stringify(headers));
});

t.test('a scope is a whole word: one that contains its name does not grant it', async (t) => {
  const account = await signIn(app);
  const { id, bearer } = await createApiToken(app, account, ['images:upload']);
  for (const scopes of ['{images:read-only}', '{x-images:read}', '{"a,images:read"}', '{images:upload}', '{}']) {
    await app.db.execute(`update api_tokens set scopes = '${scopes}' where id = '${id}'`);
    t.equal(await statusOf(bearer), 403, scopes);
  }
  await app.db.execute(`update api_tokens set scopes = '{albums:read,images:read}' where id = '${id}'`);
  t.equal(await statusOf(bearer), 200);
});

t.test('a call notes its time and the name of its program, at most every five minutes', async (t) => {
  const account = await signIn(app);
  const { id, bearer } = await createApiToken(app, account, ['images:read']);
  const token = async () => {
    const { tokens } = (await app.inject({ url: '/api/account/tokens', headers: account.bearer })).json();
    return tokens.find((one: { id: string }) => one.id === id);
  };
  await ask({ ...bearer, 'user-agent': 'ShareX/16.1.0 (192.0.2.7)' });
  await eventually('the use is noted', async () => (await token()).used_at !== null);
  t.equal((await token()).used_by, 'ShareX');
  const { used_at } = await token();
  await ask({ ...bearer, 'user-agent': 'curl/8.5.0' });
  t.match(await token(), { used_at, used_by: 'ShareX' });
  await app.db.execute(`update api_tokens set used_at = now() - interval '6 minutes' where id = '${id}'`);
  await ask({ ...bearer, 'user-agent': 'curl/8.5.0' });
  await eventually('a new use is noted', async () => (await token()).used_by === 'curl');
  const row = JSON.stringify(await app.db.execute(`select * from api_tokens where id = '${id}'`));
  t.notMatch(row, /192\.0\.2|127\.0\.0/);
});

t.test('after sixty wrong tokens an address gets 429, except with a token that was right lately', async (t) => {
  const limited = await buildTestApp(t, { rateLimit: 'on' });
  const account = await signIn(limited);
  const { bearer } = await createApiToken(limited, account, ['images:read']);
  const unused = await createApiToken(limited, account, ['images:read']);
  t.equal(await statusOf(bearer, limited), 200);
  const wrong = (authorization: string) => ask({ authorization }, limited);
  for (let count = 0; count < 60; count += 1) {
    const secret = count % 2 === 0 ? createSecret().secret : 'enc_mistyped';
    t.equal((await wrong(secret)).statusCode, 401, `wrong token ${count}`);
  }
  const refused = await wrong(createSecret().secret);
  t.equal(refused.statusCode, 429);
  const seconds = Number(refused.headers['retry-after']);
  t.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  t.equal(await statusOf(bearer, limited), 200);
  t.equal(await statusOf(unused.bearer, limited), 429);
  t.equal(await statusOf(account.bearer, limited), 200, 'sessions are not affected');
  const elsewhere = await limited.inject({ url: '/api/images', headers: unused.bearer, remoteAddress: '192.0.2.9' });
  t.equal(elsewhere.statusCode, 200);
});

t.test('wrong tokens of one address are counted for all processes', async (t) => {
  const config = await testConfig(t, { rateLimit: 'on' });
  const servers = [await buildTestApp(t, config), await buildTestApp(t, config)] as const;
  const wrong = (server: FastifyInstance) => statusOf({ authorization: createSecret().secret }, server);
  t.equal(await wrong(servers[0]), 401);
  await servers[0].db.execute(
    `update rate_limits set count = 58, resets_at = now() + interval '1 hour' where key like 'wrong-token:%'`,
  );
  t.same([await wrong(servers[0]), await wrong(servers[1])], [401, 401]);
  for (const server of servers) t.equal(await wrong(server), 429);
});

t.test('the limits of an account count its tokens’ calls too', async (t) => {
  const limited = await buildTestApp(t, { rateLimit: 'on' });
  const account = await signIn(limited);
  const { bearer } = await createApiToken(limited, account, ['originals:read']);
  const archive = (headers: Headers) => limited.inject({ url: '/api/images/archive', headers });
  await archive(account.bearer);
  await limited.db.execute(
    `update rate_limits set count = 60, resets_at = now() + interval '1 hour' where key like 'archive:%'`,
  );
  t.equal((await archive(bearer)).statusCode, 429);
});

t.test('no log line contains a secret, whatever happens to the call', async (t) => {
  const logged = await buildTestApp(t, { ...config, logLevel: 'trace' });
  const lines = linesOf(logged);
  const account = await signIn(logged);
  const { secret, bearer } = await createApiToken(logged, account, ['images:read']);
  const sent: Headers[] = [bearer, { authorization: secret }, { 'x-api-key': secret }, { 'x-api-key': `${secret}x` }];
  for (const headers of sent) {
    await ask(headers, logged);
    await logged.inject({ method: 'POST', url: '/api/images/upload', headers, payload: secret });
  }
  for (const url of [`/${secret}`, `/i/${secret}`, `/api/images?key=${secret}`, `/api/images/${secret}?page=${secret}`])
    await logged.inject({ url, headers: bearer });
  await logged.close();
  t.ok(
    lines.some((line) => line.includes('/api/images')),
    'the log is captured',
  );
  t.same(
    lines.filter((line) => line.includes(secret.slice(8, -6))),
    [],
  );
});

t.test('a new password ends the tokens unless they are kept', async (t) => {
  const account = await signIn(app);
  await createApiToken(app, account, ['images:upload']);
  const { bearer } = await createApiToken(app, account, ['images:read']);
  const stranger = await createApiToken(app, await signIn(app), ['images:read']);
  const change = async (fields: object, session = account) => {
    const payload = { current_password: account.password, new_password: account.password, ...fields };
    return (
      await app.inject({ method: 'POST', url: '/api/account/password', headers: session.bearer, payload })
    ).json();
  };
  const kept = { ended: 0, ended_tokens: 0, left: { api_tokens: ['a program', 'a program'], passkeys: [] } };
  t.match(await change({ end_tokens: false }), kept);
  t.equal(await statusOf(bearer), 200);
  t.match(await change({}, await logIn(app, account)), { ended_tokens: 2, left: { api_tokens: [] } });
  t.equal(await statusOf(bearer), 401);
  t.equal(await statusOf(stranger.bearer), 200, 'the tokens of others stay');
});
