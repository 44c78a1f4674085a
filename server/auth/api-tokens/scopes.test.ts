/** Calls every route that needs authentication with a token of every scope. */
import type { RouteOptions } from 'fastify';
import t from 'tap';
import { SCOPES } from '../../http/scopes.ts';
import { signIn } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp } from '../../testing/app.ts';

/** What each scope reaches, beside `GET` and `DELETE /api/account/tokens/current`. */
const expected: Record<(typeof SCOPES)[number], string[]> = {
  'images:upload': [
    'GET /api/images/usage',
    'GET /api/images/uploaded',
    'POST /api/images/upload',
    'POST /api/upload',
    'POST /api/1/upload',
    'POST /api/uploads',
    'GET /api/uploads/:id',
    'HEAD /api/uploads/:id',
    'PATCH /api/uploads/:id',
    'DELETE /api/uploads/:id',
  ],
  'images:read': ['GET /api/images', 'GET /api/images/:id'],
  'images:write': ['PATCH /api/images/:id'],
  'images:delete': ['DELETE /api/images/delete/:id'],
  'originals:read': ['GET /api/images/:id/original', 'GET /api/images/archive'],
  'albums:read': ['GET /api/albums', 'GET /api/albums/:id', 'POST /api/albums/holding'],
  'albums:write': [
    'POST /api/albums',
    'PATCH /api/albums/:id',
    'DELETE /api/albums/:id',
    'POST /api/albums/:id/images',
    'PATCH /api/albums/:id/images',
    'DELETE /api/albums/:id/images',
  ],
  'albums:share': ['POST /api/albums/:id/link', 'DELETE /api/albums/:id/link'],
};

const own = ['GET /api/account/tokens/current', 'DELETE /api/account/tokens/current'];
const id = '00000000-0000-7000-8000-000000000000';

const routes = new Map<string, { method: 'GET'; url: string; scopes: readonly string[] }>();
function collect({ method, url, config }: RouteOptions): void {
  const path = url.replace(/(?<=.)\/$/, '');
  for (const one of [method].flat()) {
    routes.set(`${one} ${path}`, {
      method: one as 'GET',
      url: path.replaceAll(/:\w+/g, id),
      scopes: config?.scopes ?? [],
    });
  }
}

const app = await buildTestApp(t, { options: { onRoute: collect } });

type Answer = { statusCode: number; code: string; authenticate: string | undefined };

async function ask(
  { method, url }: { method: 'GET'; url: string },
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await app.inject({ method, url, headers: { 'tus-resumable': '1.0.0', ...headers } });
  const { statusCode } = answer;
  const body = String(answer.headers['content-type']).includes('json') && answer.body ? answer.json() : {};
  // An error of Chevereto's API has its code one level deeper.
  const code = body.code ?? body.error?.code ?? '';
  return { statusCode, code, authenticate: answer.headers['www-authenticate'] as string | undefined };
}

/** A HEAD route that the framework adds for a GET route has its config. */
const withHead = (names: string[]) => [
  ...names,
  ...names.flatMap((name) => (name.startsWith('GET ') ? name.replace('GET', 'HEAD') : [])),
];

const guarded = new Set<string>();
for (const [name, route] of routes) if ((await ask(route)).statusCode === 401) guarded.add(name);

t.test('each scope reaches the routes of the table, and no other route names a scope', async (t) => {
  const reached = (scope: string) => [...routes].flatMap(([name, { scopes }]) => (scopes.includes(scope) ? name : []));
  for (const scope of SCOPES) {
    const wanted = withHead([...expected[scope], ...own]).filter((name) => routes.has(name));
    t.same(reached(scope).toSorted(), [...new Set(wanted)].toSorted(), scope);
    for (const name of expected[scope]) t.ok(routes.has(name), `${name} exists`);
  }
  for (const [name, { scopes }] of routes) if (scopes.length > 0) t.ok(guarded.has(name), `${name} is guarded`);
});

t.test('a guarded route admits a token with one of its scopes and refuses every other one', async (t) => {
  const account = await signIn(app);
  t.ok(guarded.size > 40, `${guarded.size} guarded routes`);
  for (const scope of SCOPES) {
    const { bearer } = await createApiToken(app, account, [scope]);
    for (const name of guarded) {
      const route = routes.get(name);
      if (!route || own.includes(name)) continue;
      const answer = await ask(route, bearer);
      if (route.scopes.includes(scope)) {
        t.notOk([401, 403].includes(answer.statusCode), `${scope} ${name}: ${answer.statusCode}`);
        continue;
      }
      t.equal(answer.statusCode, 403, `${scope} ${name}`);
      const needed = route.scopes.join(' ');
      t.equal(
        answer.authenticate,
        needed === '' ? undefined : `Bearer error="insufficient_scope", scope="${needed}"`,
        `${scope} ${name}`,
      );
      if (route.method.startsWith('HEAD')) continue;
      t.equal(answer.code, needed === '' ? 'SESSION_NEEDED' : 'SCOPE_NEEDED', `${scope} ${name}`);
    }
  }
});

t.test('a token with all scopes can neither create tokens nor change the account', async (t) => {
  const account = await signIn(app);
  const { bearer } = await createApiToken(app, account, [...SCOPES]);
  const sessionsOnly = [...guarded].filter((name) => routes.get(name)?.scopes.length === 0);
  for (const name of [
    'POST /api/account/tokens',
    'GET /api/account/tokens',
    'PATCH /api/account/tokens/:id',
    'DELETE /api/account/tokens/:id',
    'PATCH /api/account',
    'POST /api/account/password',
    'DELETE /api/account',
    'GET /api/account/sessions',
    'GET /api/auth/me',
  ]) {
    t.ok(sessionsOnly.includes(name), name);
    const route = routes.get(name);
    t.match(route && (await ask(route, bearer)), { statusCode: 403, code: 'SESSION_NEEDED' }, name);
  }
});
