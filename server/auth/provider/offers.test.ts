import t from 'tap';
import { eachEntry } from '../../audit/queries.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { endInvite, insertInvite } from '../invites/queries.ts';
import { createClaim } from '../roles/queries.ts';
import { startFalseProvider } from './testing/false-provider.ts';
import {
  finish,
  publicUrl,
  returnAtOnce,
  returnTo,
  settingsFor,
  startLogin,
  startWithLink,
} from './testing/provider-login.ts';

const provider = await startFalseProvider(t);
/** Only the links of this test admit people. */
const closed = { ...settingsFor(provider), passwordLogin: 'off', oidcRegistration: 'off' } as const;

type App = Awaited<ReturnType<typeof buildTestApp>>;

const person = (name: string, more = {}) => ({
  claims: { sub: `sub-${name}`, email: `${name}@provider.example`, preferred_username: name, ...more },
});
const problem = (code: string) => `/login?local#problem=${code}`;
const accounts = (app: App) =>
  app.db.execute<{ username: string; role: string; quota_images: number | null; quota_bytes: string | null }>(
    'select username, role, quota_images, quota_bytes from users order by id',
  );
const usesOf = async (app: App, id: string) =>
  (await app.db.execute<{ uses: number }>(`select uses from invites where id = '${id}'`))[0]?.uses;
const invite = (app: App, more: Partial<Parameters<typeof insertInvite>[1]> = {}) =>
  insertInvite(app.db, {
    ...{ name: 'Family', email: null, maxUses: 1, quotaImages: null, quotaBytes: null, expiresAt: null },
    ...more,
  });

t.test('the claim of the first administrator survives the login, and works once', async (t) => {
  const app = await buildTestApp(t, closed);
  const secret = (await createClaim(app.db)) ?? '';
  const [first, second] = [await startWithLink(app, secret), await startWithLink(app, secret)];
  t.notMatch(first.location.href, secret, 'it is in no address');
  t.same(await app.db.execute(`select 1 from challenges where data::text like '%${secret}%'`), [], 'nor stored');
  const refused = await startWithLink(app, secret);
  t.equal(await returnTo(app, provider, refused, { lies: { ...person('x'), otherKey: true } }), problem('refused'));
  t.same(await accounts(app), [], 'a login that fails uses nothing up');

  const path = await returnTo(app, provider, first, { lies: person('amira') });
  t.match(path, /^\/login\?local#provider=[\w-]{43}&claimed$/);
  t.equal((await finish(app, path, first.cookie)).statusCode, 200);
  t.match(await accounts(app), [{ username: 'amira', role: 'admin' }]);
  t.equal(await returnTo(app, provider, second, { lies: person('noor') }), problem('claim-ended'));
  t.equal((await accounts(app)).length, 1);
});

t.test('an account that exists becomes the administrator by the claim, unless it is disabled', async (t) => {
  const app = await buildTestApp(t, settingsFor(provider));
  await returnTo(app, provider, await startLogin(app), { lies: person('lina') });
  const secret = (await createClaim(app.db)) ?? '';
  await app.db.execute('update users set disabled_at = now()');
  const stopped = await returnTo(app, provider, await startWithLink(app, secret), { lies: person('lina') });
  t.equal(stopped, problem('disabled'));
  await app.db.execute('update users set disabled_at = null');
  await returnTo(app, provider, await startWithLink(app, secret), { lies: person('lina') });
  t.match(await accounts(app), [{ username: 'lina', role: 'admin' }]);
});

t.test('SETUP_TOKEN makes the person who logs in by the provider the first administrator', async (t) => {
  const app = await buildTestApp(t, { ...closed, setupToken: 'an-operator-chose-this' });
  const [first, second] = [
    await startWithLink(app, 'an-operator-chose-this'),
    await startWithLink(app, 'an-operator-chose-this'),
  ];
  t.match(await returnTo(app, provider, first, { lies: person('amira') }), /&claimed$/);
  t.match(await accounts(app), [{ username: 'amira', role: 'admin' }]);
  t.equal(await returnTo(app, provider, second, { lies: person('noor') }), problem('claim-ended'));
});

t.test('OIDC_ROLE_CLAIM does not take the role from the first administrator', async (t) => {
  const app = await buildTestApp(t, { ...closed, oidcRoleClaim: { claim: 'groups', value: 'admins' } });
  const secret = (await createClaim(app.db)) ?? '';
  await returnTo(app, provider, await startWithLink(app, secret), { lies: person('amira') });
  t.match(await accounts(app), [{ role: 'admin' }]);
});

t.test('a new account uses an invitation up and gets its quota; an account that exists does not', async (t) => {
  const app = await buildTestApp(t, closed);
  const { row, secret } = await invite(app, { maxUses: 2, quotaImages: 7, quotaBytes: 5_000_000_000 });
  t.equal(await returnTo(app, provider, await startLogin(app), { lies: person('noor') }), problem('unknown'));
  for (const path of [0, 1].map(() => /^\/login\?local#provider=[\w-]{43}$/)) {
    t.match(await returnTo(app, provider, await startWithLink(app, secret), { lies: person('noor') }), path);
    t.equal(await usesOf(app, row.id), 1);
  }
  t.match(await accounts(app), [{ username: 'noor', quota_images: 7, quota_bytes: '5000000000' }]);
  const [late, ended] = [await startWithLink(app, secret), await startWithLink(app, secret)];
  t.match(await returnTo(app, provider, late, { lies: person('sami') }), /#provider=/);
  t.equal(await returnTo(app, provider, ended, { lies: person('rana') }), problem('invite-ended'));
  t.same(
    (await accounts(app)).map(({ username }) => username),
    ['noor', 'sami'],
  );
});

t.test('five first logins of one person at once with one invitation make one account', async (t) => {
  const app = await buildTestApp(t, closed);
  const { row, secret } = await invite(app);
  const started = await Promise.all(Array.from({ length: 5 }, () => startWithLink(app, secret)));
  const paths = await returnAtOnce(app, provider, started, person('crowd'));
  t.match(paths, Array(5).fill(/#provider=/));
  t.equal((await accounts(app)).length, 1);
  t.equal(await usesOf(app, row.id), 1);
});

t.test('an invitation for one email admits only its owner', async (t) => {
  const app = await buildTestApp(t, closed);
  const { row, secret } = await invite(app, { email: 'Noor@Provider.example' });
  const enter = async (lies: object) => returnTo(app, provider, await startWithLink(app, secret), { lies });
  t.equal(await enter(person('thief')), problem('invite-for-other'));
  t.equal(await enter(person('noor', { email_verified: false })), problem('email-unverified'));
  t.equal(await usesOf(app, row.id), 0);
  t.match(await enter(person('noor', { email_verified: true })), /#provider=/);
  t.equal(await usesOf(app, row.id), 1);
});

t.test('a link that cannot be used, and another site, start no login', async (t) => {
  const app = await buildTestApp(t, closed);
  const { row, secret } = await invite(app);
  const start = (payload: object, headers = {}) =>
    app.inject({ method: 'POST', url: '/api/auth/provider/start', payload, headers });
  t.match((await start({ secret: 'x'.repeat(43) })).json(), { statusCode: 403, code: 'LINK_NOT_ACCEPTED' });
  t.match((await start({ secret }, { origin: 'https://evil.example' })).json(), { code: 'FOREIGN_ORIGIN' });
  t.equal((await start({ secret }, { origin: publicUrl })).statusCode, 200);
  await endInvite(app.db, row.id);
  const claim = (await createClaim(app.db)) ?? '';
  await app.db.execute('delete from admin_claims');
  t.match((await start({ secret: claim })).json(), { code: 'LINK_NOT_ACCEPTED', message: /^This link has been used/ });
  t.match((await start({ secret })).json(), { code: 'LINK_NOT_ACCEPTED' });
  const shut = await buildTestApp(t, { ...closed, registration: 'closed' });
  const other = await invite(shut);
  const answer = await shut.inject({
    method: 'POST',
    url: '/api/auth/provider/start',
    payload: { secret: other.secret },
  });
  t.match(answer.json(), { code: 'LINK_NOT_ACCEPTED' }, 'REGISTRATION=closed');
});

t.test('the audit log notes the link, and the email of a person who was refused', async (t) => {
  const app = await buildTestApp(t, settingsFor(provider));
  const { email } = await signIn(app);
  await returnTo(app, provider, await startLogin(app), { lies: { claims: { sub: 'thief', email } } });
  const { secret } = await invite(app, { name: 'The Rossis' });
  await returnTo(app, provider, await startWithLink(app, secret), { lies: person('rossi') });
  const entries = [];
  for await (const rows of eachEntry(app.db, {})) entries.push(...rows);
  t.match(entries.find(({ action }) => action === 'login.failed')?.details, { reason: 'email-taken', email });
  t.match(entries.find(({ action }) => action === 'account.registered')?.details, {
    by: 'invite',
    invite: 'The Rossis',
  });
});
