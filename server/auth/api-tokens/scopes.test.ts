/**
 * The matrix of rights: every operation of the OpenAPI document, called without a login, with a session of a user, of an
 * administrator, of an account that waits or is disabled, and with a token of every scope.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { SCOPES } from '../../http/scopes.ts';
import { signIn } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp } from '../../testing/app.ts';

type Scope = (typeof SCOPES)[number];
type Operation = {
  operationId: string;
  'x-scopes': readonly Scope[] | 'session' | 'none';
  'x-token-only'?: true;
  'x-admin-only'?: true;
};

/** What each scope reaches, beside getCurrentToken and endCurrentToken. */
const expected: Record<Scope, string[]> = {
  'images:upload': [
    'getUsage',
    'findUploaded',
    'uploadImages',
    'uploadForZipline',
    'uploadForChevereto',
    'createUpload',
    'getUpload',
    'getUploadOffset',
    'appendToUpload',
    'cancelUpload',
  ],
  'images:read': ['listImages', 'getImage', 'listExpiringImages', 'listStableLinks'],
  'images:write': ['changeImage', 'rotateLinks', 'createStableLink', 'changeStableLink', 'deleteStableLink'],
  'images:delete': ['deleteImage', 'refuseImages'],
  'originals:read': ['downloadOriginal', 'downloadArchive'],
  'albums:read': ['listAlbums', 'getAlbum', 'findAlbumsOfImages'],
  'albums:write': [
    ...['createAlbum', 'changeAlbum', 'deleteAlbum', 'addToAlbum', 'orderAlbum', 'removeFromAlbum'],
    'admitImages',
  ],
  'albums:share': [
    ...['openAlbumLink', 'closeAlbumLink', 'listShares', 'createShare', 'changeShare', 'endShare'],
    ...['listCollectLinks', 'createCollectLink', 'changeCollectLink', 'endCollectLink'],
    ...['listWaitingImages', 'getWaitingThumbnail', 'getWaitingScreen'],
  ],
};

/** For the token of the call itself. The second one ends it, so it comes last. */
const own = ['getCurrentToken', 'endCurrentToken'];
const id = '00000000-0000-7000-8000-000000000000';

const document = JSON.parse(readFileSync('server/openapi/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, 'x-scopes': scopes, ...only }]) => ({
      operationId,
      scopes,
      isTokenOnly: only['x-token-only'] === true,
      isAdminOnly: only['x-admin-only'] === true,
      method: method.toUpperCase() as 'GET',
      url: path.replaceAll(/\{\w+\}/g, id),
    })),
  )
  .toSorted((one, other) => own.indexOf(one.operationId) - own.indexOf(other.operationId));
type Call = (typeof operations)[number];

const app = await buildTestApp(t);

async function ask({ method, url }: Call, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method, url, headers: { 'tus-resumable': '1.0.0', ...headers } });
  const isJson = method !== ('HEAD' as string) && /^application\/json\b/.test(String(answer.headers['content-type']));
  const body = isJson && answer.body ? answer.json() : {};
  const { statusCode } = answer;
  return {
    statusCode,
    isDenied: statusCode === 401 || statusCode === 403,
    // An error of Chevereto's API has its code one level deeper.
    code: body.code ?? body.error?.code,
    authenticate: answer.headers['www-authenticate'],
  };
}

t.test('each scope reaches the operations of the table, and no other operation names a scope', async (t) => {
  for (const scope of SCOPES) {
    const reached = operations.filter(({ scopes }) => Array.isArray(scopes) && scopes.includes(scope));
    t.same(reached.map(({ operationId }) => operationId).toSorted(), [...expected[scope], ...own].toSorted(), scope);
  }
});

t.test('an operation needs a login unless its x-scopes is none', async (t) => {
  t.ok(operations.length > 60, `${operations.length} operations`);
  for (const call of operations) {
    const { isDenied, statusCode } = await ask(call);
    t.equal(isDenied, call.scopes !== 'none', `${call.operationId}: ${statusCode}`);
  }
});

const accounts = {
  user: { change: undefined, reaches: ({ isTokenOnly, isAdminOnly }: Call) => !isTokenOnly && !isAdminOnly },
  admin: { change: "role = 'admin'", reaches: ({ isTokenOnly }: Call) => !isTokenOnly },
  pending: { change: 'pending_since = now()', reaches: ({ scopes }: Call) => scopes === 'none' },
  disabled: { change: 'disabled_at = now()', reaches: ({ scopes }: Call) => scopes === 'none' },
};

for (const [kind, { change, reaches }] of Object.entries(accounts)) {
  t.test(`what the session of an account reaches: ${kind}`, async (t) => {
    for (const call of operations) {
      const { id: own, bearer } = await signIn(app);
      if (change !== undefined) await app.db.execute(`update users set ${change} where id = '${own}'`);
      const { isDenied, statusCode } = await ask(call, bearer);
      t.equal(isDenied, !reaches(call), `${call.operationId}: ${statusCode}`);
    }
  });
}

t.test('only operations below /api/admin are for administrators', async (t) => {
  const found = operations.filter(({ isAdminOnly }) => isAdminOnly);
  t.ok(found.length > 10);
  for (const { url, isAdminOnly } of operations) t.equal(isAdminOnly, url.startsWith('/api/admin/'), url);
});

for (const scope of SCOPES) {
  t.test(`a token with ${scope} may call what x-scopes says, and nothing else`, async (t) => {
    const account = await signIn(app);
    const { bearer } = await createApiToken(app, account, [scope]);
    for (const call of operations) {
      const { operationId, scopes, method } = call;
      const { isDenied, statusCode, code, authenticate } = await ask(call, bearer);
      if (scopes === 'none' || (scopes !== 'session' && scopes.includes(scope))) {
        t.notOk(isDenied, `${operationId}: ${statusCode}`);
        continue;
      }
      t.equal(statusCode, 403, operationId);
      const needed =
        scopes === 'session' ? undefined : `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`;
      t.equal(authenticate, needed, operationId);
      if (method === ('HEAD' as string)) continue;
      t.equal(code, scopes === 'session' ? 'SESSION_NEEDED' : 'SCOPE_NEEDED', operationId);
    }
  });
}

t.test('a token with all scopes can neither create tokens nor change the account', async (t) => {
  const account = await signIn(app);
  const { bearer } = await createApiToken(app, account, [...SCOPES]);
  for (const operationId of [
    'createToken',
    'listTokens',
    'changeToken',
    'endToken',
    'changeAccount',
    'changePassword',
    'deleteAccount',
    'listSessions',
    'getAccount',
  ]) {
    const call = operations.find((one) => one.operationId === operationId);
    t.match(call && (await ask(call, bearer)), { statusCode: 403, code: 'SESSION_NEEDED' }, operationId);
  }
});
