import t from 'tap';
import { setRole } from '../../auth/roles/queries.ts';
import type { AdminJob } from '../../contract.ts';
import { proofOf, signIn, type TestAccount } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';

const app = await buildTestApp(t, { registration: 'approval', jwtSecret: 'a secret that is long enough for a test' });

async function admin(): Promise<TestAccount> {
  const account = await signIn(app);
  await setRole(app.db, account.id, 'admin');
  return account;
}

const call = (account: TestAccount) => (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url: `/api/admin${url}`, headers: account.bearer, ...(payload ? { payload } : {}) });

const register = (name: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username: name, email: `${name}@example.com`, password: 'rather-a-good-one' },
  });
const logIn = (name: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: `${name}@example.com`, password: 'rather-a-good-one' },
  });

t.test('an administrator finds, approves, limits, disables and deletes an account', async (t) => {
  const boss = await admin();
  const ask = call(boss);
  const { id } = (await register('noor-one')).json().user;
  t.match((await ask('GET', '/accounts?state=pending')).json(), { total: 1, accounts: [{ username: 'noor-one' }] });
  t.equal((await logIn('noor-one')).json().code, 'ACCOUNT_PENDING');
  t.match((await ask('POST', `/accounts/${id}/approve`)).json(), { account: { pending_since: null } });
  const { access_token: token } = (await logIn('noor-one')).json();
  const own = { authorization: `Bearer ${token}` };
  await ask('PATCH', `/accounts/${id}`, { quota_images: 3, quota_bytes: null });
  t.match((await app.inject({ url: '/api/images/usage', headers: own })).json(), { max_images: 3, max_bytes: null });
  t.match((await ask('GET', '/accounts?search=NOOR-O')).json(), {
    accounts: [{ id, sessions: 1, quota_images: 3, has_password: true, role: 'user' }],
  });
  t.match((await ask('PATCH', `/accounts/${id}`, { silence_links: true })).json(), { message: /silence_links/ });
  t.match((await ask('PATCH', `/accounts/${id}`, { disabled: true, silence_links: false })).json(), {
    message: 'The field "silence_links" takes only true.',
  });
  t.match((await ask('POST', '/invites', { name: 'Family', quota_images: 'many' })).json(), {
    message: 'The field "quota_images" must be of the type integer or null.',
  });
  t.match((await ask('PATCH', `/accounts/${id}`, { quota_bytes: -1 })).json(), {
    message: 'The field "quota_bytes" must be >= 0.',
  });
  t.match((await ask('PATCH', `/accounts/${id}`, { quota: 3 })).json(), {
    ...{ code: 'INVALID_REQUEST', message: 'There is no field "quota" here.' },
  });
  t.match((await ask('PATCH', `/accounts/${id}`, { role: 'owner' })).json(), {
    message: 'The field "role" takes only "user", "admin".',
  });
  const given = { proof: await proofOf(app, boss.bearer) };
  const disabled = await ask('PATCH', `/accounts/${id}`, { disabled: true, ...given });
  t.match(disabled.json(), { account: { disabled_at: /Z$/ } });
  t.equal((await app.inject({ url: '/api/auth/me', headers: own })).statusCode, 401);
  await ask('PATCH', `/accounts/${id}`, { disabled: false });
  t.equal((await logIn('noor-one')).statusCode, 200);
  t.same((await ask('DELETE', `/accounts/${id}/sessions`)).json(), { ended: 1 });
  t.equal((await ask('POST', `/accounts/${boss.id}/password-link`, given)).statusCode, 400, 'not for oneself');
  t.equal((await ask('DELETE', `/accounts/${boss.id}/second-factors`, given)).statusCode, 400);
  const link = (await ask('POST', `/accounts/${id}/password-link`, given)).json().url;
  const reset = { token: link.split('token=')[1], password: 'another-good-one' };
  t.equal((await app.inject({ method: 'POST', url: '/api/auth/reset', payload: reset })).statusCode, 204);
  t.match((await ask('DELETE', `/accounts/${id}`, { username: 'someone-else' })).json(), { code: 'WRONG_NAME' });
  t.equal((await ask('DELETE', `/accounts/${id}`, { username: 'noor-one', ...given })).statusCode, 204);
  t.equal((await ask('GET', `/accounts/${id}`)).statusCode, 404);
  const { entries } = (await ask('GET', `/audit?account=${id}`)).json();
  t.same(entries.map(({ action }: { action: string }) => action).toReversed(), [
    ...['account.registered', 'login.failed', 'account.approved', 'login', 'account.quota', 'account.disabled'],
    ...['account.enabled', 'login', 'sessions.ended', 'password.link', 'password.changed', 'account.deleted'],
  ]);
  t.notMatch(JSON.stringify(entries), /another-good-one|rather-a-good-one/);
  const named = (await ask('GET', '/audit?account=noor-one')).json().entries;
  t.same(named.slice(0, 3), entries.slice(0, 3), 'a deleted account is found by the name that it had');
  t.same((await ask('GET', '/audit?account=NOOR-ONE')).json().entries, named, 'in any case');
  t.same((await ask('GET', '/audit?account=%00')).json().entries, []);
});

t.test('an open session is not enough for what opens an account, shuts people out or cannot be undone', async (t) => {
  const [boss, other, admins] = [await admin(), await signIn(app), await admin()];
  const ask = call(boss);
  const calls = ({ id, email }: TestAccount, isAdmin: boolean): Parameters<typeof ask>[] => [
    ['PATCH', `/accounts/${id}`, { role: isAdmin ? 'user' : 'admin' }],
    ['PATCH', `/accounts/${id}`, { disabled: true }],
    ['PATCH', `/accounts/${id}`, { disabled: true, silence_links: true }],
    ['DELETE', `/accounts/${id}`, { username: email.replace('@example.com', '') }],
    ['POST', `/accounts/${id}/password-link`, {}],
    ['DELETE', `/accounts/${id}/second-factors`, {}],
  ];
  const all = [...calls(other, false), ...calls(admins, true), ...calls(boss, true).slice(0, 4)];
  for (const proof of ['none', await proofOf(app, admins.bearer)]) {
    for (const [method, url, payload] of all) {
      const refused = await ask(method, url, { ...payload, proof });
      t.match(refused.json(), { statusCode: 403, code: 'PROOF_NEEDED' }, `${method} ${JSON.stringify(payload)}`);
    }
  }
  for (const { id } of [boss, other, admins]) t.equal((await ask('GET', `/accounts/${id}`)).statusCode, 200);
  t.same(
    await app.db.execute(`select 1 from users where disabled_at is not null and id in ('${boss.id}', '${other.id}')`),
    [],
  );
});

t.test('an account that nobody approves is deleted after 30 days, and its name is free again', async (t) => {
  const ask = call(await admin());
  const [old, young, approved] = ['old-one', 'young-one', 'approved-one'];
  for (const name of [old, young, approved]) await register(name);
  const { id } = (await ask('GET', `/accounts?search=${approved}`)).json().accounts[0];
  const age = (name: string, days: number) =>
    app.db.execute(
      `update users set created_at = created_at - interval '${days} days', pending_since = pending_since - interval '${days} days'
        where username = '${name}'`,
    );
  for (const [name, days] of [
    [old, 31],
    [young, 29],
    [approved, 31],
  ] as const)
    await age(name, days);
  await ask('POST', `/accounts/${id}/approve`);
  await app.sweeps.run();
  const left = await app.db.execute(`select username from users where username like '%-one' order by username`);
  const names = left.map(({ username }) => username);
  t.notOk(names.includes(old));
  t.ok(names.includes(young) && names.includes(approved));
  t.match((await ask('GET', `/audit?account=${old}&action=account.deleted`)).json().entries, [
    { actor: 'the server', account: old, details: { reason: 'pending' } },
  ]);
  t.equal((await register(old)).statusCode, 201);
});

t.test('failed logins are found by the email, the name and the id of the account', async (t) => {
  const ask = call(await admin());
  const { id } = (await register('amira-tried')).json().user;
  const email = 'amira-tried@example.com';
  const payload = { email: 'Amira-Tried@example.com', password: 'wrong' };
  for (let round = 0; round < 3; round += 1) await app.inject({ method: 'POST', url: '/api/auth/login', payload });
  const unknown = { email: 'nobody@example.com', password: 'wrong' };
  await app.inject({ method: 'POST', url: '/api/auth/login', payload: unknown });
  for (const account of [email, 'AMIRA-TRIED@example.com', 'amira-tried', id]) {
    const { entries } = (await ask('GET', `/audit?action=login.failed&account=${account}`)).json();
    t.equal(entries.length, 3, account);
  }
  t.equal((await ask('GET', '/audit?account=nobody@example.com')).json().entries.length, 1);
});

t.test('the last administrator can neither be demoted, disabled nor deleted', async (t) => {
  const account = await admin();
  const ask = call(account);
  await app.db.execute(`update users set role = 'user' where id <> '${account.id}'`);
  const proof = await proofOf(app, account.bearer);
  for (const change of [{ role: 'user' }, { disabled: true }]) {
    const refused = await ask('PATCH', `/accounts/${account.id}`, { quota_images: 7, ...change, proof });
    t.match(refused.json(), { code: 'LAST_ADMIN' });
    t.match(
      (await ask('GET', `/accounts/${account.id}`)).json(),
      { account: { quota_images: null } },
      'nothing changed',
    );
  }
  const { username } = (await ask('GET', `/accounts/${account.id}`)).json().account;
  t.match((await ask('DELETE', `/accounts/${account.id}`, { username, proof })).json(), { code: 'LAST_ADMIN' });
});

t.test('an invitation is created, listed and ended', async (t) => {
  const ask = call(await admin());
  const made = (await ask('POST', '/invites', { name: ' Family\n', max_uses: 2, expires_in: '1h' })).json();
  t.match(made, { invite: { name: 'Family', max_uses: 2, usable: true }, mailed: false });
  const secret = made.url.split('token=')[1];
  t.notMatch((await ask('GET', '/invites')).body, secret);
  const payload = { username: 'invited', email: 'invited@example.com', password: 'rather-a-good-one', invite: secret };
  const answer = await app.inject({ method: 'POST', url: '/api/auth/register', payload });
  t.match(answer.json(), { pending: undefined });
  t.match((await ask('GET', '/invites')).json(), { invites: [{ uses: 1 }] });
  t.equal((await ask('DELETE', `/invites/${made.invite.id}`)).statusCode, 204);
  t.equal((await ask('DELETE', `/invites/${made.invite.id}`)).statusCode, 404);
});

t.test(
  'an invitation for one email creates one account, and none is created while registration is closed',
  async (t) => {
    const boss = await admin();
    const forOne = { name: 'Noor', email: 'noor@example.com', max_uses: 2 };
    t.match((await call(boss)('POST', '/invites', forOne)).json(), { statusCode: 400, message: /creates one account/ });
    const closed = await buildTestApp(t, { registration: 'closed' });
    const account = await signIn(closed);
    await setRole(closed.db, account.id, 'admin');
    const payload = { name: 'Family', email: 'family@example.com' };
    const request = { method: 'POST', url: '/api/admin/invites', headers: account.bearer, payload } as const;
    t.match((await closed.inject(request)).json(), { statusCode: 409, code: 'INVITES_CLOSED' });
    t.same(await closed.db.execute('select 1 from invites'), []);
  },
);

t.test('the overview, the settings with masked secrets, and the audit log as JSON lines', async (t) => {
  const ask = call(await admin());
  t.match((await ask('GET', '/overview')).json(), {
    ...{ accounts: Number, version: /^\d/, postgres_version: /^\d/ },
    renditions_due: 0, // RENDITIONS_AHEAD=off makes none
  });
  const settings = await ask('GET', '/settings');
  t.notMatch(settings.body, 'a secret that is long enough');
  const setting = (wanted: string) => settings.json().settings.find(({ name }: { name: string }) => name === wanted);
  t.match(setting('JWT_SECRET'), { secret: true, value: '••••••••' });
  t.match(setting('REGISTRATION'), { value: 'approval', unit: null });
  t.match(setting('MAX_FILE_SIZE'), { value: '67108864', unit: 'bytes' });
  t.match(setting('SLOW_QUERY'), { value: '1000', unit: 'milliseconds', source: 'default' });
  t.match(setting('OIDC_BUTTON'), { value: 'Log in with single sign-on', source: 'default' });
  const exported = await ask('GET', '/audit/export?action=login');
  for (const query of ['action=%00', 'from=%2B275760-09-13', 'from=0000-01-01', 'from=-1', 'action=nothing']) {
    t.equal((await ask('GET', `/audit?${query}`)).statusCode, 400, query);
  }
  const lines = exported.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.ok(lines.length > 3);
  t.ok(lines.every(({ action }) => action === 'login' || action === 'login.failed'));
  let [seen, next] = [0, ''];
  do {
    const page = (await ask('GET', `/audit${next && `?before=${next}`}`)).json();
    seen += page.entries.length;
    next = page.next ?? '';
  } while (next !== '');
  t.equal(seen, (await app.db.execute('select 1 from audit_log')).length);
});

t.test('the doctor runs beside the server, once at a time, and its findings are shown', async (t) => {
  const ask = call(await admin());
  t.match((await ask('POST', '/jobs', { kind: 'backup' })).json(), { code: 'BACKUP_PATH_NEEDED' });
  const { job } = (await ask('POST', '/jobs', { kind: 'doctor' })).json();
  t.match((await ask('POST', '/jobs', { kind: 'doctor' })).json(), { statusCode: 409, code: 'JOB_RUNNING' });
  t.match((await ask('GET', `/jobs/${job.id}`)).json<{ job: AdminJob }>(), { job: { state: /^(waiting|running)$/ } });
});

t.test('only administrators reach any of it, and no API token', async (t) => {
  const user = call(await signIn(app));
  for (const url of ['/overview', '/accounts', '/invites', '/audit', '/audit/export', '/settings']) {
    t.match((await user('GET', url)).json(), { statusCode: 403, code: 'ADMIN_NEEDED' }, url);
    t.equal((await app.inject(`/api/admin${url}`)).statusCode, 401, url);
  }
});
