/**
 * The matrix of rights: every operation, called without a login, with a session of a user, of an administrator, of an
 * account that waits or is disabled, and with a token of every scope. A route that is in no table fails.
 */
import { readFileSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import t from 'tap';
import { SCOPES } from '../http/scopes.ts';
import { signIn } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp } from '../testing/app.ts';

type Scope = (typeof SCOPES)[number];
type Operation = { operationId: string; 'x-scopes': readonly Scope[] | 'session' | 'none' };

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
    ...['listShareImages', 'addToShare', 'removeFromShare'],
    ...['listCollectLinks', 'createCollectLink', 'changeCollectLink', 'endCollectLink'],
    ...['listWaitingImages', 'getWaitingThumbnail', 'getWaitingScreen'],
  ],
};

const withoutLogin = [
  ...['getSignInOptions', 'registerAccount', 'readInvite', 'logIn', 'logOut', 'giveSecondFactor', 'confirmEmail'],
  ...[
    'requestPasswordReset',
    'readReset',
    'resetPassword',
    'requestPasskeyLogin',
    'logInByPasskey',
    'requestSecondPasskey',
  ],
  ...['startProviderLogin', 'startProviderRegistration', 'returnFromProvider', 'logInByProvider'],
  ...['logOutEverywhere', 'endProviderSessions'],
  ...['getLiveness', 'getReadiness', 'getProcessHealth', 'getOpenApi', 'getUploadOptions'],
  // The links of images, and what is behind them.
  ...['getPublicOriginal', 'getThumbnail', 'getThumbnailAvif', 'getScreen', 'getScreenAvif', 'openStableLink'],
  ...['openDeleteLink', 'pressDeleteButton', 'deleteByLink'],
  ...['openShare', 'unlockShare', 'getShareOEmbed', 'downloadShare', 'getSharedOriginal'],
  ...['getSharedThumbnail', 'getSharedThumbnailAvif', 'getSharedScreen', 'getSharedScreenAvif'],
  // For guests: their cookie decides what they see.
  ...[
    'openCollectLink',
    'getCollectPage',
    'enterCollectLink',
    'listCollectAlbum',
    'addGuestImages',
    'listGuestImages',
    'removeGuestImage',
  ],
  ...['getGuestThumbnail', 'getGuestThumbnailAvif', 'getGuestScreen', 'getGuestScreenAvif', 'findGuestUploads'],
  ...['getUploadOptionsOfGuest', 'createUploadOfGuest', 'getUploadOfGuest', 'getUploadOffsetOfGuest'],
  ...['appendToUploadOfGuest', 'cancelUploadOfGuest'],
];

const bySession = [
  ...['getAccount', 'getAccountDetails', 'changeAccount', 'changePassword', 'deleteAccount', 'claimAdmin'],
  ...['getMailSettings', 'changeMailSettings', 'resendConfirmation', 'cancelEmailChange'],
  ...['listSessions', 'endSession', 'endOtherSessions', 'createToken', 'listTokens', 'changeToken', 'endToken'],
  ...['proveOwner', 'requestPasskeyProof', 'startProviderProof', 'getFactors', 'renewRecoveryCodes'],
  ...['beginTotp', 'confirmTotp', 'removeTotp', 'requestPasskey', 'addPasskey', 'renamePasskey', 'removePasskey'],
  ...['listIdentities', 'linkIdentity', 'unlinkIdentity'],
];

const byAdmins = [
  ...['readOverview', 'listSettings', 'startJob', 'readJob', 'listAuditEntries', 'exportAuditLog'],
  ...['listAccounts', 'readAccount', 'changeAccountOf', 'deleteAccountOf', 'approveAccount', 'endSessionsOf'],
  ...['createPasswordLink', 'resetSecondFactorsOf', 'listInvites', 'createInvite', 'endInvite'],
];

/** By the secret of a token alone. */
const byTokens = ['uploadForZipline', 'uploadForChevereto', 'getCurrentToken', 'endCurrentToken'];

/** Not in the document, and for anyone: the page, its files, and albums' public pages. */
const pages =
  /^(?:GET|HEAD) \/(?:a\/:linkKey|cli\/gallery\.mjs(?:\.sha256)?|share|sw\.js|mark\.svg|manifest\.webmanifest|index\.html|(?:icons|assets)\/[\w./-]+)$|^POST \/share$/;

/** For the token of the call itself. The second one ends it, so it comes last. */
const own = ['getCurrentToken', 'endCurrentToken'];
const id = '00000000-0000-7000-8000-000000000000';

const document = JSON.parse(readFileSync('server/openapi/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, 'x-scopes': scopes }]) => ({
      operationId,
      scopes,
      method: method.toUpperCase() as 'GET',
      url: path.replaceAll(/\{\w+\}/g, id),
    })),
  )
  .toSorted((one, other) => own.indexOf(one.operationId) - own.indexOf(other.operationId));
type Call = (typeof operations)[number];

const routes: RouteOptions[] = [];
const app = await buildTestApp(t, { options: { onRoute: (route) => routes.push(route) } });

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

const scoped = [...new Set(Object.values(expected).flat())];

t.test('the tables know every route, and each once', async (t) => {
  const sessions = [...scoped.filter((id) => !byTokens.includes(id)), ...bySession, ...byAdmins];
  const ids = operations.map(({ operationId }) => operationId);
  t.same(ids.toSorted(), [...withoutLogin, ...sessions, ...byTokens].toSorted());
  const others = routes.flatMap(({ method, url, schema }) => {
    const id = (schema as { operationId?: string } | undefined)?.operationId;
    return id === undefined ? [method].flat().map((each) => `${each} ${url}`) : [];
  });
  t.same(
    others.filter((one) => !pages.test(one)),
    [],
  );
});

t.test('each scope reaches the operations of the table, and no other operation names a scope', async (t) => {
  for (const scope of SCOPES) {
    const reached = operations.filter(({ scopes }) => Array.isArray(scopes) && scopes.includes(scope));
    t.same(reached.map(({ operationId }) => operationId).toSorted(), [...expected[scope], ...own].toSorted(), scope);
  }
});

t.test('what anyone reaches without a login', async (t) => {
  for (const call of operations) {
    const { isDenied, statusCode } = await ask(call);
    t.equal(isDenied, !withoutLogin.includes(call.operationId), `${call.operationId}: ${statusCode}`);
  }
});

const forUsers = [...withoutLogin, ...bySession, ...scoped.filter((id) => !byTokens.includes(id))];
const accounts = {
  user: { change: undefined, reaches: forUsers },
  admin: { change: "role = 'admin'", reaches: [...forUsers, ...byAdmins] },
  pending: { change: 'pending_since = now()', reaches: withoutLogin },
  disabled: { change: 'disabled_at = now()', reaches: withoutLogin },
};

for (const [kind, { change, reaches }] of Object.entries(accounts)) {
  t.test(`what the session of an account reaches: ${kind}`, async (t) => {
    for (const call of operations) {
      const { id: own, bearer } = await signIn(app);
      if (change !== undefined) await app.db.execute(`update users set ${change} where id = '${own}'`);
      const { isDenied, statusCode } = await ask(call, bearer);
      t.equal(isDenied, !reaches.includes(call.operationId), `${call.operationId}: ${statusCode}`);
    }
  });
}

for (const scope of SCOPES) {
  t.test(`a token with ${scope} may call what the table says, and nothing else`, async (t) => {
    const account = await signIn(app);
    const { bearer } = await createApiToken(app, account, [scope]);
    for (const call of operations) {
      const { operationId, scopes, method } = call;
      const { isDenied, statusCode, code, authenticate } = await ask(call, bearer);
      if ([...withoutLogin, ...expected[scope], ...own].includes(operationId)) {
        t.notOk(isDenied, `${operationId}: ${statusCode}`);
        continue;
      }
      t.equal(statusCode, 403, operationId);
      const needed =
        typeof scopes === 'string' ? undefined : `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`;
      t.equal(authenticate, needed, operationId);
      if (method === ('HEAD' as string)) continue;
      t.equal(code, typeof scopes === 'string' ? 'SESSION_NEEDED' : 'SCOPE_NEEDED', operationId);
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
