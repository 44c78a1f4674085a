/** The owner's API of shares. */
import { sql } from 'drizzle-orm';
import t from 'tap';
import { findUser } from '../auth/queries.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp } from '../testing/app.ts';
import { picture } from '../testing/pictures.ts';
import { accountWith, password } from '../testing/share.ts';
import { defaultLimits, deleteOldShares, insertShare } from './queries.ts';

const app = await buildTestApp(t);

t.test('a new share shows everything for ever, and its answer has no secret but the link', async (t) => {
  const { create, call } = await accountWith(app);
  const answer = await create({ name: '  Sea\n& sand ' });
  t.equal(answer.statusCode, 201);
  const { share } = answer.json();
  t.match(share, {
    ...{ name: 'Sea & sand', album: null, count: 1, short_name: null, guessable: false, protected: false },
    ...{ originals: true, details: true, download: true, expires_at: null, expired: false, views: 0 },
  });
  const secret = await create({ password });
  t.notMatch(secret.body, /argon2|rather-a-good/);
  t.same((await call('GET')).json(), { shares: [secret.json().share, share], album_pages: [] }, 'the newest first');
});

t.test('a change sets what it names and keeps the rest', async (t) => {
  const { share, call } = await accountWith(app);
  const { id } = await share({ password, details: false });
  const change = async (payload: object) => (await call('PATCH', `/${id}`, payload)).json().share;
  t.match(await change({ originals: false, name: 'Other' }), {
    ...{ name: 'Other', protected: true, originals: false, details: false, download: true },
  });
  t.match(await change({ password: null, download: false }), { protected: false, download: false, name: 'Other' });
  const { expires_at } = await change({ expires_in: '7d' });
  t.ok(Date.parse(expires_at) > Date.now() + 6 * 86_400_000);
  t.equal((await change({ expires_at: null })).expires_at, null);
});

t.test('the images of a selection can be listed, added and removed', async (t) => {
  const files = ['one', 'two', 'three'].map((name, at) => ({ name: `${name}.png`, at }));
  const { account, ids, share, call, album } = await accountWith(
    app,
    await Promise.all(files.map(async ({ name, at }) => ({ name, bytes: await picture({ width: 20 + at }) }))),
  );
  const [one = '', two = '', three = ''] = ids;
  const { id, path } = await share({ images: [two, one] });
  const listed = async () =>
    (await call('GET', `/${id}/images`)).json().images.map((image: { id: string }) => image.id);
  t.same(await listed(), [two, one]);
  const added = await call('POST', `/${id}/images`, { ids: [one, three] });
  t.match([added.statusCode, added.json()], [200, { share: { id, count: 3 } }]);
  t.same(await listed(), [two, one, three], 'new ones are at the end, and none twice');
  t.match((await call('DELETE', `/${id}/images`, { ids: [two] })).json(), { share: { count: 2 } });
  t.same(await listed(), [one, three]);
  t.match((await app.inject(path)).body, '2 images', 'visitors see it at once');
  const unknown = '00000000-0000-7000-8000-000000000000';
  t.equal((await call('POST', `/${id}/images`, { ids: [unknown] })).statusCode, 404);
  const stranger = await accountWith(app);
  for (const method of ['POST', 'DELETE'] as const)
    t.equal((await stranger.call(method, `/${id}/images`, { ids: stranger.ids })).statusCode, 404);
  t.equal((await stranger.call('GET', `/${id}/images`)).statusCode, 404);
  t.equal((await call('POST', `/${id}/images`, { ids: stranger.ids })).statusCode, 404, "another account's image");
  const ofAlbum = await share({ album: (await album()).id, images: undefined });
  t.match((await call('GET', `/${ofAlbum.id}/images`)).json(), { total: 3, totalPages: 1, page: 1 });
  t.equal((await call('DELETE', `/${ofAlbum.id}/images`, { ids: [one] })).statusCode, 400);
  const { bearer } = await createApiToken(app, account, ['images:read', 'albums:write']);
  t.equal((await app.inject({ url: `/api/shares/${id}/images`, headers: bearer })).statusCode, 403);
});

t.test('originals need details, because their metadata can contain names', async (t) => {
  const { share, call } = await accountWith(app);
  const { id, originals } = await share({ details: false });
  t.equal(originals, false);
  const change = (payload: object) => call('PATCH', `/${id}`, payload);
  const refused = await change({ originals: true });
  t.match([refused.statusCode, refused.json()], [400, { code: 'INVALID_REQUEST', message: /originals/ }]);
  t.equal((await change({ originals: true, details: true })).statusCode, 200);
  t.equal((await change({ details: false })).statusCode, 400);
  t.equal((await change({ details: false, originals: false })).statusCode, 200);
});

t.test('an invalid share is refused with a reason', async (t) => {
  const { create, album, ids } = await accountWith(app);
  const { id } = await album();
  const stranger = await accountWith(app);
  const unknown = '00000000-0000-7000-8000-000000000000';
  for (const [options, status, code] of [
    [{ album: id }, 400, 'INVALID_REQUEST'],
    [{ images: undefined }, 400, 'INVALID_REQUEST'],
    [{ images: [] }, 400, 'INVALID_REQUEST'],
    [{ images: ['x'] }, 400, 'INVALID_REQUEST'],
    [{ name: ' \n' }, 400, 'INVALID_REQUEST'],
    [{ name: 'x'.repeat(101) }, 400, 'INVALID_REQUEST'],
    [{ password: 'short' }, 400, 'INVALID_REQUEST'],
    [{ password: 'password123' }, 400, 'COMMON_PASSWORD'],
    [{ expires_in: '1m' }, 400, 'INVALID_REQUEST'],
    [{ details: false, originals: true }, 400, 'INVALID_REQUEST'],
    [{ expires_in: '7d', expires_at: '2030-01-01T00:00:00Z' }, 400, 'INVALID_REQUEST'],
    [{ images: [...ids, unknown] }, 404, 'NOT_FOUND'],
    [{ images: stranger.ids }, 404, 'NOT_FOUND'],
    [{ images: undefined, album: (await stranger.album()).id }, 404, 'NOT_FOUND'],
    [{ images: undefined, album: 'x' }, 404, 'NOT_FOUND'],
  ] as const) {
    const answer = await create(options as object);
    t.match([answer.statusCode, answer.json()], [status, { code, message: /\.$|./ }], JSON.stringify(options));
  }
});

t.test('a short name needs a password or consent, and is unique, unreserved and unlike a key', async (t) => {
  const { create, share, call } = await accountWith(app);
  for (const [code, names] of [
    ['INVALID_NAME', ['ab', 'x'.repeat(65), 'a b', 'ä-name', '../x', '-abc', '___']],
    ['NAME_RESERVED', ['oembed', 'admin']],
    ['INVALID_REQUEST', ['x'.repeat(22)]],
  ] as const) {
    for (const name of names) {
      t.match((await create({ short_name: name, guessable: true })).json(), { statusCode: 400, code }, name);
    }
  }
  t.match((await create({ short_name: 'open-name' })).json(), { statusCode: 400, code: 'SHORT_NAME_OPEN' });
  const { id } = await share({ short_name: 'Own-Name', password });
  const other = await accountWith(app);
  t.match((await other.create({ short_name: 'own-name', password })).json(), {
    statusCode: 409,
    code: 'NAME_TAKEN',
  });
  t.match((await call('PATCH', `/${id}`, { password: null })).json(), { code: 'SHORT_NAME_OPEN' });
  t.match((await call('PATCH', `/${id}`, { password: null, guessable: true })).json(), { share: { protected: false } });
  t.match((await call('PATCH', `/${id}`, { guessable: false })).json(), { code: 'SHORT_NAME_OPEN' });
});

t.test('the short name of an ended share is free for its owner at once, and for others later', async (t) => {
  const { share, create, call } = await accountWith(app);
  const other = await accountWith(app);
  const options = { short_name: 'once-more', guessable: true };
  const { id } = await share(options);
  await call('DELETE', `/${id}`);
  t.equal((await app.inject('/s/once-more')).statusCode, 410);
  t.equal((await other.create(options)).statusCode, 409);
  t.equal((await create(options)).statusCode, 201);
  t.equal((await app.inject('/s/once-more')).statusCode, 200);
});

t.test(
  'an expired share can be opened again, an ended one cannot, and the sweep deletes both after 90 days',
  async (t) => {
    const { share, call } = await accountWith(app);
    const [expired, ended] = [await share({ expires_in: '1h' }), await share()];
    await app.db.execute(sql`update shares set expires_at = now() - interval '1 day' where id = ${expired.id}`);
    await call('DELETE', `/${ended.id}`);
    t.match((await call('GET')).json().shares, [{ id: expired.id, expired: true }]);
    t.equal((await call('PATCH', `/${ended.id}`, { name: 'x' })).statusCode, 404);
    t.equal((await call('DELETE', `/${ended.id}`)).statusCode, 404);
    await call('PATCH', `/${expired.id}`, { expires_at: null });
    t.equal((await app.inject(expired.path)).statusCode, 200);
    await app.db.execute(sql`update shares set ended_at = now() - interval '91 days' where id = ${ended.id}`);
    await deleteOldShares(app.db);
    t.equal((await app.inject(ended.path)).statusCode, 404);
    t.equal((await app.inject(expired.path)).statusCode, 200);
  },
);

t.test("another account's shares do not exist, and every call needs a login", async (t) => {
  const { share } = await accountWith(app);
  const { id } = await share();
  const stranger = await accountWith(app);
  t.same((await stranger.call('GET')).json().shares, []);
  t.equal((await stranger.call('PATCH', `/${id}`, { name: 'Mine' })).statusCode, 404);
  t.equal((await stranger.call('DELETE', `/${id}`)).statusCode, 404);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${id}`],
    ['DELETE', `/${id}`],
  ] as const) {
    t.equal((await app.inject({ method, url: `/api/shares${path}` })).statusCode, 401, method);
  }
});

t.test('a token for one album shares that album alone, and sees no other share', async (t) => {
  const { account, album, share, ids, call: owner } = await accountWith(app);
  const [own, other] = [await album('Own'), await album('Other')];
  const hidden = [await share(), await share({ images: undefined, album: other.id })];
  const { bearer } = await createApiToken(app, account, ['albums:share'], { album: own.id });
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    app.inject({ method, url: `/api/shares${path}`, headers: bearer, ...(payload && { payload }) });
  t.equal((await call('POST', '', { name: 'One', album: other.id })).statusCode, 404);
  t.match((await call('POST', '', { name: 'One', images: ids })).json(), { statusCode: 403, code: 'SCOPE_NEEDED' });
  const made = (await call('POST', '', { name: 'One', album: own.id })).json().share;
  t.same((await call('GET', '')).json().shares, [made]);
  t.equal((await owner('GET')).json().shares.length, 3, 'a refused share is not stored');
  for (const { id } of hidden) {
    t.equal((await call('PATCH', `/${id}`, { name: 'x' })).statusCode, 404);
    t.equal((await call('DELETE', `/${id}`)).statusCode, 404);
  }
  t.equal((await call('DELETE', `/${made.id}`)).statusCode, 204);
  const reader = await createApiToken(app, account, ['albums:read', 'albums:write']);
  t.equal((await app.inject({ url: '/api/shares', headers: reader.bearer })).statusCode, 403);
});

t.test('a public album page is listed beside the shares and keeps its address', async (t) => {
  const { account, album, call } = await accountWith(app);
  const { id } = await album('Trip');
  const { url } = (await app.inject({ method: 'POST', url: `/api/albums/${id}/link`, headers: account.bearer })).json();
  t.same((await call('GET')).json().album_pages, [{ album: id, name: 'Trip', url }]);
  t.match(url, /\/a\/[\w-]{22}$/);
  t.match((await call('GET')).json().shares, [
    { id, url, album: id, name: 'Trip', public_album: true, protected: false },
  ]);
  await app.inject({ method: 'HEAD', url: new URL(url).pathname });
  for (const query of ['', '', '?page=2']) await app.inject(new URL(url).pathname + query);
  t.match((await call('GET')).json().shares, [{ views: 2 }]);
  const { albums } = (await app.inject({ url: '/api/albums', headers: account.bearer })).json();
  t.match(albums, [{ id, views: 2 }]);
  t.match((await call('PATCH', `/${id}`, { name: 'Other' })).json(), {
    code: 'INVALID_REQUEST',
    message: /no settings/,
  });
  await app.inject(new URL(url).pathname);
  t.equal((await call('DELETE', `/${id}`)).statusCode, 204);
  t.equal((await app.inject(new URL(url).pathname)).statusCode, 404);
  t.same((await call('GET')).json().shares, []);
  t.equal((await call('DELETE', `/${id}`)).statusCode, 404);
  await app.inject({ method: 'POST', url: `/api/albums/${id}/link`, headers: account.bearer });
  t.match((await call('GET')).json().shares, [{ views: 0 }], 'a new page has no views of the ended one');
});

t.test('an account has a limited number of shares and of selected images', async (t) => {
  const { account, ids } = await accountWith(app);
  const reach = { ownerId: account.id, albumId: null };
  const insert = (number: number, limits: object) => {
    const key = `${number}`.padStart(22, 'k');
    const row = {
      ...{ id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`, ownerId: account.id, key, name: 'One' },
      ...{ albumId: null, shortName: null, guessable: false, passwordHash: null, expiresAt: null },
      ...{ originals: true, details: true, download: true },
    };
    const share = { reach, row, images: ids, limits: { ...defaultLimits, ...limits } };
    return underOwnerLock(app.db, account.id, (tx) => insertShare(tx, share));
  };
  await insert(1, { shares: 1, images: 1 });
  await t.rejects(insert(2, { shares: 1 }), { code: 'TOO_MANY_SHARES', message: /at most 1 shares/ });
  await t.rejects(insert(2, { images: 1 }), { code: 'TOO_MANY_SHARES', message: /selected images/ });
  t.ok(await insert(2, {}));
});

t.test('a deleted image leaves its shares, and a deleted album ends them', async (t) => {
  const { account, share, album, ids, call } = await accountWith(app);
  const { id } = await album();
  const [selected, ofAlbum] = [await share(), await share({ images: undefined, album: id })];
  await app.inject({ method: 'DELETE', url: `/api/albums/${id}`, headers: account.bearer });
  t.equal((await app.inject(ofAlbum.path)).statusCode, 404);
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${ids[0]}`, headers: account.bearer });
  t.match((await app.inject(selected.path)).body, 'There are no images here at the moment.');
  t.match((await call('GET')).json().shares, [{ id: selected.id, count: 0 }]);
});

t.test('an account that exists no more has no shares', async (t) => {
  const { account, share } = await accountWith(app);
  const { path } = await share();
  const user = await findUser(app.db, account.id);
  t.ok(user && (await app.images.deleteAccount(user)));
  t.equal((await app.inject(path)).statusCode, 404);
  t.equal((await app.db.execute(sql`select 1 from share_images where owner_id = ${account.id}`)).length, 0);
});
