import t from 'tap';
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
