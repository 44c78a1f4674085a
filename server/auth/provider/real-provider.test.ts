import t from 'tap';
import { buildTestApp } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import { freePort } from '../../testing/free-port.ts';
import { secret, startRealProvider } from './testing/real-provider.ts';
import { createVisitor } from './testing/visitor.ts';

const port = await freePort();
const gallery = `http://127.0.0.1:${port}`;
const { issuer, errors } = await startRealProvider(t, gallery);
const app = await buildTestApp(t, {
  publicUrl: gallery,
  oidcIssuer: issuer,
  oidcClientId: 'gallery',
  oidcClientSecret: secret,
  oidcScopes: 'openid profile email groups',
  oidcRoleClaim: { claim: 'groups', value: 'amiras' },
});
await app.listen({ host: '127.0.0.1', port });

type Visitor = ReturnType<typeof createVisitor>;

/** Logs in at the provider's own pages. @returns the session */
async function logIn(visitor: Visitor, name: string) {
  const question = await visitor.open(`${gallery}/api/auth/provider/start`);
  const consent = await visitor.submit(question, { login: name, password: 'any' });
  const { url } = await visitor.submit(consent);
  const [, code = ''] = /#provider=([\w-]+)$/.exec(url) ?? [];
  const headers = { 'content-type': 'application/json', cookie: visitor.cookiesAt(gallery) };
  const init = { method: 'POST', headers, body: JSON.stringify({ code }) };
  const answer = await fetch(`${gallery}/api/auth/provider/finish`, init);
  return (await answer.json()) as { access_token: string; user: { id: string; username: string; email: string } };
}

const isLive = async (token: string) =>
  (await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode === 200;

t.test('a login by a real provider opens a session, with names and the role of its claims', async (t) => {
  const { access_token: token, user } = await logIn(createVisitor(), 'amira');
  t.match(user, { username: 'amira', email: 'amira@provider.example' }, errors.join());
  t.ok(await isLive(token));
  t.match((await app.db.execute(`select role from users where id = '${user.id}'`))[0], { role: 'admin' });
  const again = await logIn(createVisitor(), 'amira');
  t.equal(again.user.id, user.id);
  t.not((await logIn(createVisitor(), 'noor')).user.id, user.id);
});

t.test('a logout here leads through the logout there, which ends the sessions of that browser', async (t) => {
  const visitor = createVisitor();
  const { access_token: token } = await logIn(visitor, 'lina');
  const elsewhere = await logIn(createVisitor(), 'lina');
  const headers = { authorization: `Bearer ${token}` };
  const left = await app.inject({ method: 'POST', url: '/api/auth/provider/logout', headers });
  t.notOk(await isLive(token));
  const question = await visitor.open(left.json().url);
  const end = await visitor.submit(question, { logout: 'yes' });
  t.equal(end.url, `${gallery}/login?local`);
  t.ok(await isLive(elsewhere.access_token), 'another browser');
  t.same(errors, []);
});

t.test('a logout at the provider ends the session here', async (t) => {
  const visitor = createVisitor();
  const { access_token: token } = await logIn(visitor, 'sami');
  const question = await visitor.open(`${issuer}/session/end`);
  await visitor.submit(question, { logout: 'yes' });
  await eventually('the end of the session', async () => !(await isLive(token)), 15);
  t.same(errors, []);
});
