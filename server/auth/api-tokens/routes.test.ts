import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { ApiToken, NewApiToken } from '../../contract.ts';
import { SCOPES } from '../../http/scopes.ts';
import { proofOf, signIn, type TestAccount } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { waitingForLocks } from '../../testing/waiting.ts';
import { MAX_TOKENS } from './queries.ts';

const day = 86_400_000;

const app = await buildTestApp(t);

const call = (
  account: Pick<TestAccount, 'bearer'>,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  id = '',
  payload?: object,
) =>
  app.inject({
    method,
    url: `/api/account/tokens${id && `/${id}`}`,
    headers: account.bearer,
    ...(payload ? { payload } : {}),
  });

const list = async (account: TestAccount) => (await call(account, 'GET')).json<{ tokens: ApiToken[] }>().tokens;

const upload: NewApiToken = { name: 'ShareX', scopes: ['images:upload'] };

async function album({ bearer }: TestAccount): Promise<string> {
  const answer = await app.inject({ method: 'POST', url: '/api/albums', headers: bearer, payload: { name: 'Trip' } });
  return answer.json().album.id;
}

t.test('a new token is listed without its secret, which is shown once', async (t) => {
  const account = await signIn(app);
  const proof = await proofOf(app, account.bearer);
  const made = await call(account, 'POST', '', { ...upload, name: ' Share\nX ', proof });
  t.equal(made.statusCode, 201);
  const { token, secret, profile } = made.json();
  t.match(secret, /^enc_[\w-]{43}[0-9A-Za-z]{6}$/);
  t.equal(profile, null);
  t.match(token, {
    name: 'Share X',
    start: secret.slice(0, 8),
    scopes: ['images:upload'],
    album: null,
    images_expire_in: null,
    expires_at: null,
    used_at: null,
    used_by: null,
  });
  t.same(await list(account), [token]);
  t.notMatch((await call(account, 'GET')).body, secret.slice(8));
  const stored = JSON.stringify(await app.db.execute('select * from api_tokens'));
  t.notMatch(stored, secret.slice(8), 'the database does not contain the secret');
  t.same(await list(await signIn(app)), [], 'another account has no tokens');
});

t.test('a token for more than uploads ends after 90 days unless the call says otherwise', async (t) => {
  const account = await signIn(app);
  const days = async (more: Partial<NewApiToken>) => {
    const { created_at, expires_at } = await createApiToken(app, account, ['images:read'], more);
    return expires_at && Math.round((Date.parse(expires_at) - Date.parse(created_at)) / day);
  };
  t.equal(await days({}), 90);
  t.equal(await days({ expires_in: '2w' }), 14);
  t.equal(await days({ expires_in: '5y' }), 5 * 365);
  t.equal(await days({ expires_in: null }), null);
  const both = await createApiToken(app, account, ['images:read', 'images:upload']);
  t.same(both.scopes, ['images:upload', 'images:read']);
  t.type(both.expires_at, 'string');
});

t.test('a session alone makes only tokens that upload and end', async (t) => {
  const account = await signIn(app);
  const other = await signIn(app);
  const ask = async (fields: Partial<NewApiToken>) => {
    const { token, code } = (await call(account, 'POST', '', { ...upload, ...fields })).json();
    return code ?? (token.expires_at === null ? 'endless' : 'ends');
  };
  const [proof, foreign] = [await proofOf(app, account.bearer), await proofOf(app, other.bearer)];
  for (const fields of [{ expires_in: null }, { scopes: ['images:read' as const] }, { scopes: [...SCOPES] }]) {
    t.equal(await ask(fields), 'PROOF_NEEDED', JSON.stringify(fields));
    for (const wrong of ['', 'x', foreign]) t.equal(await ask({ ...fields, proof: wrong }), 'PROOF_NEEDED');
    t.equal(await ask({ ...fields, proof }), 'expires_in' in fields ? 'endless' : 'ends');
  }
  t.equal(await ask({}), 'ends');
  t.equal(await ask({ proof: 'x' }), 'PROOF_NEEDED', 'a wrong one is never ignored');
  t.equal(await ask({ proof }), 'endless');
});

t.test('an invalid field answers 400, and creates nothing', async (t) => {
  const account = await signIn(app);
  const wrong: object[] = [
    { name: '' },
    { name: ' \n\0' },
    { name: 'x'.repeat(101) },
    { scopes: [] },
    { scopes: ['images:everything'] },
    { scopes: ['images:read', 'images:read'] },
    ...['59m', '6y', '1s', '0d', 'never', ''].map((expires_in) => ({ expires_in })),
    ...['4m', '6y', 'soon'].map((images_expire_in) => ({ images_expire_in })),
  ];
  for (const fields of wrong) {
    const answer = await call(account, 'POST', '', { ...upload, ...fields });
    t.match([answer.statusCode, answer.json().code], [400, 'INVALID_REQUEST'], JSON.stringify(fields));
  }
  t.same(await list(account), []);
  const kept = { ...upload, name: 'x'.repeat(100), expires_in: '1h', images_expire_in: '5m' };
  t.match((await call(account, 'POST', '', kept)).json().token, { images_expire_in: '5m' });
});

t.test("an unknown album and another account's answer 404", async (t) => {
  const account = await signIn(app);
  const foreign = await album(await signIn(app));
  const { id } = await createApiToken(app, account, ['images:upload']);
  for (const name of [foreign, randomUUID(), 'none', "' or true"]) {
    t.equal((await call(account, 'POST', '', { ...upload, album: name })).statusCode, 404, name);
    t.equal((await call(account, 'PATCH', id, { album: name })).statusCode, 404, name);
  }
  const own = await album(account);
  t.equal((await createApiToken(app, account, ['images:upload'], { album: own })).album, own);
});

t.test('an account has at most 100 tokens, also with concurrent calls', async (t) => {
  const account = await signIn(app);
  await app.db.execute(`insert into api_tokens (id, owner_id, name, secret_hash, start, scopes)
    select gen_random_uuid(), '${account.id}', 'one', gen_random_uuid()::text, 'enc_abcd', '{images:upload}'
    from generate_series(1, ${MAX_TOKENS - 1})`);
  const answers = await Promise.all([1, 2, 3, 4].map(() => call(account, 'POST', '', upload)));
  t.same(answers.map(({ statusCode }) => statusCode).toSorted(), [201, 409, 409, 409]);
  t.equal(answers.find(({ statusCode }) => statusCode === 409)?.json().code, 'TOO_MANY_TOKENS');
});

t.test('the list starts with the token used last', async (t) => {
  const account = await signIn(app);
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) made.push((await createApiToken(app, account, ['images:upload'])).id);
  const [first, second, third] = made;
  await app.db.execute(`update api_tokens set used_at = now() where id = '${second}'`);
  await app.db.execute(`update api_tokens set used_at = now() - interval '1 day' where id = '${first}'`);
  t.same(
    (await list(account)).map(({ id }) => id),
    [second, first, third],
  );
});

t.test('a change can rename a token, move it to another album and narrow it, but not widen it', async (t) => {
  const account = await signIn(app);
  const { id, ...token } = await createApiToken(app, account, ['images:read', 'images:write']);
  const change = async (fields: object) => {
    const answer = await call(account, 'PATCH', id, fields);
    return answer.statusCode === 200 ? answer.json().token : [answer.statusCode, answer.json().code];
  };
  const own = await album(account);
  const changed = await change({ name: ' Other ', album: own, images_expire_in: '7d', scopes: ['images:read'] });
  t.match(changed, { name: 'Other', album: own, images_expire_in: '7d', scopes: ['images:read'] });
  t.equal(changed.expires_at, token.expires_at);
  t.match(await change({ expires_in: '1d', album: null }), { album: null, name: 'Other', images_expire_in: '7d' });
  t.match(await change({}), { name: 'Other' });
  const refused = [400, 'NOT_NARROWER'];
  t.same(await change({ scopes: ['images:read', 'images:write'] }), refused, 'a scope that it lost');
  t.same(await change({ scopes: ['albums:share'] }), refused);
  t.same(await change({ expires_in: '2d' }), refused, 'a later end');
  t.same(await change({ expires_in: null }), refused, 'no end');
  for (const fields of [{ name: ' ' }, { scopes: [] }, { expires_in: '1m' }, { images_expire_in: '1m' }]) {
    t.same(await change(fields), [400, 'INVALID_REQUEST'], JSON.stringify(fields));
  }
  const endless = await createApiToken(app, account, ['images:upload']);
  t.type((await call(account, 'PATCH', endless.id, { expires_in: '5y' })).json().token.expires_at, 'string');
});

t.test('concurrent changes cannot widen a token', async (t) => {
  const account = await signIn(app);
  for (let round = 0; round < 10; round += 1) {
    const { id } = await createApiToken(app, account, ['images:read', 'images:write']);
    const [narrow, wide] = await Promise.all([
      call(account, 'PATCH', id, { scopes: ['images:read'] }),
      call(account, 'PATCH', id, { scopes: ['images:read', 'images:write'] }),
    ]);
    t.equal(narrow.statusCode, 200);
    t.ok([200, 400].includes(wide.statusCode));
    t.same((await list(account)).find((token) => token.id === id)?.scopes, ['images:read'], 'the scope stays removed');
  }
});

t.test('a new token and a change of one wait for other changes of the account', async (t) => {
  const account = await signIn(app);
  const { id } = await createApiToken(app, account, ['images:upload']);
  for (const change of [() => call(account, 'POST', '', upload), () => call(account, 'PATCH', id, { name: 'Other' })]) {
    const { answer } = await app.db.transaction(async (tx) => {
      await tx.execute(`select 1 from users where id = '${account.id}' for no key update`);
      const begun = { answer: change() };
      await eventually('the call waits', async () => (await waitingForLocks(app.db)) === 1);
      return begun;
    });
    t.ok((await answer).statusCode < 300);
  }
});

t.test('an ended token and another account’s token answer 404', async (t) => {
  const [account, stranger] = [await signIn(app), await signIn(app)];
  const { id } = await createApiToken(app, account, ['images:upload']);
  for (const [who, name] of [
    [stranger, id],
    [account, randomUUID()],
    [account, 'none'],
  ] as const) {
    t.equal((await call(who, 'PATCH', name, { name: 'Mine' })).statusCode, 404, name);
    t.equal((await call(who, 'DELETE', name)).statusCode, 404, name);
  }
  t.equal((await call(account, 'DELETE', id)).statusCode, 204);
  t.equal((await call(account, 'DELETE', id)).statusCode, 404);
  t.equal((await call(account, 'PATCH', id, { name: 'Late' })).statusCode, 404);
});

t.test('a token shows and ends itself, and a session has no current token', async (t) => {
  const account = await signIn(app);
  const token = await createApiToken(app, account, ['albums:share']);
  const shown = await call(token, 'GET', 'current');
  t.match([shown.statusCode, shown.json()], [200, { token: { id: token.id, scopes: ['albums:share'] } }]);
  t.equal((await call(account, 'GET', 'current')).statusCode, 401);
  t.equal((await call(account, 'DELETE', 'current')).statusCode, 401);
  t.equal((await list(account)).length, 1);
  t.equal((await call(token, 'DELETE', 'current')).statusCode, 204);
  t.equal((await call(token, 'GET', 'current')).statusCode, 401);
  t.equal((await call(token, 'DELETE', 'current')).statusCode, 401);
  t.same(await list(account), []);
});

t.test('without a session no call about tokens is answered', async (t) => {
  for (const [method, id] of [
    ['GET', ''],
    ['POST', ''],
    ['PATCH', randomUUID()],
    ['DELETE', randomUUID()],
  ] as const) {
    const answer = await app.inject({ method, url: `/api/account/tokens/${id}`, payload: upload });
    t.equal(answer.statusCode, 401, `${method} ${id}`);
  }
});

t.test('an account makes at most 600 changes of tokens a minute', async (t) => {
  const limited = await buildTestApp(t, { rateLimit: 'on' });
  const account = await signIn(limited);
  const { id } = await createApiToken(limited, account, ['images:upload']);
  await limited.db.execute(
    `update rate_limits set count = 600, resets_at = now() + interval '1 hour' where key like 'tokens:%'`,
  );
  const url = '/api/account/tokens';
  const ask = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    (await limited.inject({ method, url: path, headers: account.bearer, ...(payload ? { payload } : {}) })).statusCode;
  t.same(
    [await ask('POST', url, upload), await ask('PATCH', `${url}/${id}`, {}), await ask('DELETE', `${url}/${id}`)],
    [429, 429, 429],
  );
});
