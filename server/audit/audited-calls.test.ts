import { randomUUID } from 'node:crypto';
import t from 'tap';
import { endSessions, insertUser } from '../auth/queries.ts';
import { setRole } from '../auth/roles/queries.ts';
import { hashToken } from '../mail/token.ts';
import { logIn, proofOf, signIn } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp } from '../testing/app.ts';
import { accountWith, password } from '../testing/share.ts';

const app = await buildTestApp(t);

async function entriesOf(id: string) {
  const rows = await app.db.execute(`select action, details from audit_log where actor_id = '${id}' order by id`);
  return rows.map(({ action, details }) => [action, details]);
}

t.test('each change of tokens, shares, collect links and sessions is one entry without secrets', async (t) => {
  const { account, ids, share, call, album } = await accountWith(app);
  await logIn(app, account);
  const before = await entriesOf(account.id);
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers: account.bearer, ...(payload && { payload }) });
    t.ok(answer.statusCode < 300, `${method} ${url}: ${answer.statusCode}`);
    return answer;
  };

  const token = await createApiToken(app, account, ['images:read']);
  await send('PATCH', `/api/account/tokens/${token.id}`, { name: 'renamed' });
  await send('DELETE', `/api/account/tokens/${token.id}`);
  const made = await share({ password });
  await call('PATCH', `/${made.id}`, { name: 'Autumn' });
  await call('DELETE', `/${made.id}`);
  const { id } = await album();
  const page = (await send('POST', `/api/albums/${id}/link`)).json();
  await send('POST', `/api/albums/${id}/link`);
  await send('DELETE', `/api/albums/${id}/link`);
  await send('DELETE', `/api/albums/${id}/link`);
  const link = (await send('POST', '/api/collect-links', { album: id, name: 'Guests', password })).json().collect_link;
  await send('PATCH', `/api/collect-links/${link.id}`, { name: 'More guests' });
  await send('DELETE', `/api/collect-links/${link.id}`);
  await send('GET', `/api/images/archive?ids=${ids}`);
  await send('PATCH', '/api/account', { username: 'renamed-owner' });
  await send('DELETE', '/api/account/sessions');

  const entries = (await entriesOf(account.id)).slice(before.length);
  t.strictSame(entries.slice(0, -2), [
    ['token.created', { token: 'a program', scopes: 'images:read' }],
    ['token.changed', { token: 'renamed' }],
    ['token.ended', { id: token.id }],
    ['share.created', { share: 'Summer' }],
    ['share.changed', { share: 'Autumn' }],
    ['share.ended', { share: 'Autumn' }],
    ['share.created', { share: 'Trip', album: id }],
    ['share.ended', { share: 'Trip', album: id }],
    ['collect.created', { link: 'Guests' }],
    ['collect.changed', { link: 'More guests' }],
    ['collect.ended', { link: 'More guests' }],
    ['export', { images: 1 }],
  ]);
  t.same(
    entries.slice(-2).map(([action]) => action),
    ['account.changed', 'sessions.ended'],
  );
  const log = JSON.stringify(entries);
  const keys = [made.url, page.url, link.url].map((url) => url.slice(-22));
  for (const secret of [token.secret, password, account.password, ...keys]) t.notOk(log.includes(secret));
});

t.test('a call that changes nothing adds no entry', async (t) => {
  const { account, ids, share, album } = await accountWith(app);
  await setRole(app.db, account.id, 'admin');
  const { id: passkey } = await share();
  await app.db.execute(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced)
      values ('${passkey}', '${account.id}', 'unchanged', '', 0, '{}', 'Phone', false)`,
  );
  const [other, bare] = [await signIn(app), await signIn(app)];
  await endSessions(app.db, bare.id);
  const proof = await proofOf(app, account.bearer);
  const token = await createApiToken(app, account, ['images:read']);
  const post = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, headers: account.bearer, payload })).json();
  const { collect_link: link } = await post('/api/collect-links', { album: (await album()).id, name: 'Guests' });
  const { user } = (await app.inject({ url: '/api/auth/me', headers: account.bearer })).json();
  const calls: Call[] = [
    ['DELETE /api/account/sessions'],
    ['PATCH /api/account', { username: user.username, email: user.email, proof }],
    [`PATCH /api/account/tokens/${token.id}`, { name: 'a program', scopes: ['images:read'] }],
    [`PATCH /api/account/passkeys/${passkey}`, { name: 'Phone' }],
    [`PATCH /api/shares/${passkey}`, { name: 'Summer', download: true, expires_in: null }],
    [`POST /api/shares/${passkey}/images`, { ids }],
    [`DELETE /api/shares/${passkey}/images`, { ids: [randomUUID()] }],
    [`DELETE /api/admin/accounts/${bare.id}/second-factors`, { proof }],
    [`PATCH /api/collect-links/${link.id}`, { name: 'Guests', open: link.open }],
    [`PATCH /api/admin/accounts/${other.id}`, { role: 'user', quota_images: null }],
    [`PATCH /api/admin/accounts/${other.id}`, { disabled: true, proof }],
    [`DELETE /api/admin/accounts/${other.id}/sessions`],
  ];
  const run = async () => {
    for (const [call, payload] of calls) {
      const [method, url] = call.split(' ') as ['POST', string];
      const answer = await app.inject({ method, url, headers: account.bearer, ...(payload && { payload }) });
      t.ok(answer.statusCode < 300, `${call}: ${answer.body}`);
    }
    return (await entriesOf(account.id)).map(([action]) => action);
  };
  const before = (await entriesOf(account.id)).map(([action]) => action);
  t.same(await run(), [...before, 'account.disabled'], 'the first time, only the disabling');
  t.same(await run(), [...before, 'account.disabled']);
});

const tables = [
  ...['users', 'sessions', 'api_tokens', 'shares', 'albums', 'collect_links', 'invites', 'passkeys'],
  ...['password_resets', 'email_changes', 'admin_jobs', 'challenges', 'audit_log'],
];

async function contents(): Promise<string[]> {
  const all = tables.map((name) => `select '${name} ' || to_jsonb(rows)::text as row from ${name} rows`);
  return (await app.db.execute(all.join(' union all '))).map(({ row }) => String(row));
}

type Call = [call: string, payload?: object, headers?: { authorization: string }];

/** Calls of an administrator that would each change something. */
async function everyChange(): Promise<Call[]> {
  const { account, ids, share, album } = await accountWith(app);
  const { bearer, password: given } = account;
  await setRole(app.db, account.id, 'admin');
  const [other, later] = [await signIn(app), await logIn(app, account)];
  const names = { username: 'waiting', email: 'waiting@example.com' };
  const waiting = await insertUser(app.db, { ...names, passwordHash: null, isPending: true });
  const token = await createApiToken(app, account, ['images:read']);
  await app.db.execute('update api_tokens set used_at = now()');
  const { id: shareId } = await share();
  const [closed, open] = [await album(), await album()];
  const post = async (url: string, payload?: object) =>
    (await app.inject({ method: 'POST', url, headers: bearer, ...(payload && { payload }) })).json();
  await post(`/api/albums/${open.id}/link`);
  const { collect_link: link } = await post('/api/collect-links', { album: open.id, name: 'Guests' });
  const { invite } = await post('/api/admin/invites', { name: 'Family' });
  const proof = await proofOf(app, bearer);
  for (const statement of [
    `insert into email_changes (user_id, email, token_hash, expires_at)
      values ('${other.id}', 'other@example.com', '${hashToken('secret')}', now() + interval '1 hour')`,
    `insert into password_resets (user_id, token_hash, expires_at)
      values ('${other.id}', '${hashToken('reset')}', now() + interval '1 hour')`,
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced)
      values ('${shareId}', '${account.id}', 'id', '', 0, '{}', 'Phone', false)`,
  ]) {
    await app.db.execute(statement);
  }
  const { sessions } = (await app.inject({ url: '/api/account/sessions', headers: later.bearer })).json();
  const session = sessions.find(({ current }: { current: boolean }) => !current).id;
  const [own, accounts] = ['/api/account', '/api/admin/accounts'];
  const calls: Call[] = [
    [`POST ${own}/tokens`, { name: 'a program', scopes: ['images:read'], proof }],
    [`PATCH ${own}/tokens/${token.id}`, { name: 'renamed' }],
    [`DELETE ${own}/tokens/${token.id}`],
    [`DELETE ${own}/tokens/current`, undefined, token.bearer],
    ['POST /api/shares', { name: 'Winter', images: ids }],
    [`PATCH /api/shares/${shareId}`, { name: 'Autumn' }],
    ...[shareId, open.id].map((id): Call => [`DELETE /api/shares/${id}`]),
    [`POST /api/albums/${closed.id}/link`],
    [`DELETE /api/albums/${open.id}/link`],
    ['POST /api/collect-links', { album: open.id, name: 'More guests' }],
    [`PATCH /api/collect-links/${link.id}`, { name: 'Fewer guests' }],
    [`DELETE /api/collect-links/${link.id}`],
    [`PATCH ${own}`, { username: 'renamed-twice' }],
    [`PATCH ${own}`, { email: 'renamed-twice@example.com', password: given }],
    [`POST ${own}/password`, { current_password: given, new_password: password }],
    ...['', `/${session}`].map((path): Call => [`DELETE ${own}/sessions${path}`]),
    [`PATCH ${own}/passkeys/${shareId}`, { name: 'Old phone' }],
    [`DELETE ${own}`, { password: given }, other.bearer],
    ['POST /api/auth/register', { username: 'newcomer', email: 'newcomer@example.com', password }],
    ['POST /api/auth/login', { email: other.email, password: given }],
    ...['', '/provider'].map((path): Call => [`POST /api/auth${path}/logout`]),
    ['POST /api/auth/email', { token: 'secret' }],
    ['POST /api/auth/reset', { token: 'reset', password }],
    [`POST ${accounts}/${waiting.id}/approve`],
    [`PATCH ${accounts}/${other.id}`, { quota_images: 3 }],
    [`PATCH ${accounts}/${other.id}`, { role: 'admin', proof }],
    [`PATCH ${accounts}/${other.id}`, { disabled: true, proof }],
    [`DELETE ${accounts}/${other.id}/sessions`],
    [`POST ${accounts}/${other.id}/password-link`, { proof }],
    [`DELETE ${accounts}/${other.id}/second-factors`, { proof }],
    [`DELETE ${accounts}/${waiting.id}`, { username: 'waiting', proof }],
    ['POST /api/admin/invites', { name: 'Friends' }],
    [`DELETE /api/admin/invites/${invite.id}`],
    ['POST /api/admin/jobs', { kind: 'doctor' }],
  ];
  return calls.map(([call, payload, headers = bearer]) => [call, payload, headers]);
}

t.test('a change whose entry cannot be written is not made', async (t) => {
  const calls = await everyChange();
  await app.db.execute('alter table audit_log add constraint full_up check (false) not valid');
  t.teardown(() => app.db.execute('alter table audit_log drop constraint full_up'));
  const before = new Set(await contents());
  for (const [call, payload, headers] of calls) {
    const [method, url] = call.split(' ') as ['POST', string];
    const answer = await app.inject({ method, url, headers: headers ?? {}, ...(payload && { payload }) });
    t.equal(answer.statusCode, 500, `${call}: ${answer.body}`);
    const after = new Set(await contents());
    t.same([...before].filter((row) => !after.has(row)).concat([...after].filter((row) => !before.has(row))), [], call);
  }
});
