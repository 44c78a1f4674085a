/** The owner's API of collect links. */
import { sql } from 'drizzle-orm';
import t from 'tap';
import { findUser, setDisabled } from '../auth/queries.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { addFiles, collector, guestOf, pictures } from '../testing/guests/collector.ts';
import { deleteOldGuests } from './public-queries.ts';
import { deleteOldLinks, insertLink } from './queries.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
/** Another process of the same gallery. */
const other = await buildTestApp(t, { ...config, jwtSecret: undefined });

const password = 'rather-a-good-one';
const statusOf = async (path: string, server = app) => (await server.inject(`${path}/link`)).statusCode;

t.test('a new link is blind and open for ever, and its answer has no secret but the link', async (t) => {
  const { create, call, album } = await collector(app);
  const answer = await create({ name: '  Our\nparty ' });
  t.equal(answer.statusCode, 201);
  const { collect_link: link } = answer.json();
  t.match(link, {
    ...{ name: 'Our party', album, open: false, asks_name: false, look_first: false, protected: false },
    ...{ max_files: 500, max_bytes: 10_000_000_000, files: 0, bytes: 0, waiting: 0, expires_at: null, expired: false },
    url: /\/c\/[\w-]{22}$/,
  });
  const secret = await create({ password });
  t.notMatch(secret.body, /argon2|rather-a-good/);
  t.same((await call('GET')).json(), { collect_links: [secret.json().collect_link, link] }, 'the newest first');
});

t.test('a change sets what it names and keeps the rest', async (t) => {
  const { link, call } = await collector(app);
  const { id } = await link({ password, open: true, asks_name: true, look_first: true, max_files: 7 });
  const change = async (payload: object) => (await call('PATCH', `/${id}`, payload)).json().collect_link;
  t.match(await change({ open: false, name: 'Other', max_bytes: 1000 }), {
    ...{ name: 'Other', open: false, asks_name: true, look_first: true, protected: true },
    ...{ max_files: 7, max_bytes: 1000 },
  });
  t.match(await change({ password: null }), { protected: false, open: false, name: 'Other' });
  t.ok(Date.parse((await change({ expires_in: '7d' })).expires_at) > Date.now() + 6 * 86_400_000);
  t.equal((await change({ expires_at: null })).expires_at, null);
});

t.test('an invalid link is refused with a reason', async (t) => {
  const { create } = await collector(app);
  const stranger = await collector(app);
  for (const [options, status, code] of [
    [{ album: stranger.album }, 404, 'NOT_FOUND'],
    [{ album: 'x' }, 404, 'NOT_FOUND'],
    [{ name: ' \n' }, 400, 'INVALID_REQUEST'],
    [{ name: '\u200b' }, 400, 'INVALID_REQUEST'],
    [{ name: 'x'.repeat(101) }, 400, 'INVALID_REQUEST'],
    [{ password: 'short' }, 400, 'INVALID_REQUEST'],
    [{ password: 'password123' }, 400, 'COMMON_PASSWORD'],
    [{ max_files: 0 }, 400, 'INVALID_REQUEST'],
    [{ max_files: 10_001 }, 400, 'INVALID_REQUEST'],
    [{ max_bytes: 0 }, 400, 'INVALID_REQUEST'],
    [{ expires_in: '1m' }, 400, 'INVALID_REQUEST'],
  ] as const) {
    const answer = await create(options as object);
    t.match([answer.statusCode, answer.json()], [status, { code }], JSON.stringify(options));
  }
});

t.test('an account has a limited number of links', async (t) => {
  const { account, album, link } = await collector(app);
  const { id, ...made } = await link();
  const row = {
    ...{ id: '00000000-0000-4000-8000-000000000001', ownerId: account.id, albumId: album, key: 'k'.repeat(22) },
    ...{ name: made.name, passwordHash: null, open: false, asksName: false, lookFirst: false, expiresAt: null },
    ...{ maxFiles: 1, maxBytes: 1 },
  };
  const reach = { ownerId: account.id, albumId: null };
  const insert = (most: number) => underOwnerLock(app.db, account.id, (tx) => insertLink(tx, reach, row, most));
  await t.rejects(insert(1), { code: 'TOO_MANY_COLLECT_LINKS', message: /at most 1 / });
  t.ok(await insert(2));
});

t.test('an ended link, and one whose end has passed, answer 410 at once on every process', async (t) => {
  const { link, call } = await collector(app);
  const [ended, expired] = [await link(), await link({ expires_in: '5m' })];
  const guests = [await guestOf(app, ended.path), await guestOf(app, expired.path)];
  for (const server of [app, other]) t.equal(await statusOf(ended.path, server), 200);
  t.equal((await call('DELETE', `/${ended.id}`)).statusCode, 204);
  await app.db.execute(sql`update collect_links set expires_at = now() where id = ${expired.id}`);
  const files = await pictures(['a.png']);
  for (const server of [app, other]) {
    for (const [at, { path }] of [ended, expired].entries()) {
      const headers = guests[at] ?? {};
      for (const url of ['link', 'album', 'uploaded', 'i/x/thumbnail.webp']) {
        t.equal((await server.inject({ url: `${path}/${url}`, headers })).statusCode, 410, url);
      }
      t.equal((await server.inject(`${path}/images`)).statusCode, 410);
      t.match((await addFiles(server, path, headers, files)).json(), { statusCode: 410, code: 'COLLECT_ENDED' });
    }
  }
  t.match((await call('GET')).json().collect_links, [{ id: expired.id, expired: true }]);
  t.equal((await call('PATCH', `/${ended.id}`, { name: 'x' })).statusCode, 404);
  await call('PATCH', `/${expired.id}`, { expires_at: null });
  t.equal(await statusOf(expired.path), 200, 'an expired link can be opened again');
});

t.test('the link of a disabled account rests on every process until it is enabled again', async (t) => {
  const { link, account } = await collector(app);
  const { path } = await link();
  const guest = await guestOf(app, path);
  const disable = async (isDisabled: boolean) => setDisabled(app.db, account.id, isDisabled);
  await disable(true);
  for (const server of [app, other]) {
    t.equal(await statusOf(path, server), 404);
    t.equal((await addFiles(server, path, guest, await pictures(['a.png']))).statusCode, 404);
  }
  await disable(false);
  t.equal((await addFiles(app, path, guest, await pictures(['a.png']))).statusCode, 201);
});

t.test('the sweep deletes old links and forgotten guests, and spares those of waiting images', async (t) => {
  const { link, call, idsIn, waiting } = await collector(app);
  const [empty, full] = [await link(), await link({ look_first: true })];
  const guest = await guestOf(app, full.path, {});
  await guestOf(app, full.path);
  await addFiles(app, full.path, guest, await pictures(['a.png']));
  for (const { id } of [empty, full]) await call('DELETE', `/${id}`);
  await app.db.execute(sql`update collect_links set ended_at = now() - interval '91 days'`);
  await app.db.execute(sql`update collect_guests set expires_at = now() - interval '1 second'`);
  await deleteOldGuests(app.db);
  await deleteOldLinks(app.db);
  const guests = await app.db.execute(sql`select 1 from collect_guests where link_id in (${empty.id}, ${full.id})`);
  t.equal(guests.length, 1);
  t.same([await statusOf(empty.path), await statusOf(full.path)], [404, 410]);
  const ids = (await waiting()).map(({ id }) => id);
  await call('POST', '/waiting/admit', { ids });
  t.same(await idsIn(), ids, 'the image still goes into its album');
});

t.test("another account's links do not exist, and every call needs a login with the scope", async (t) => {
  const owner = await collector(app);
  const { id } = await owner.link({ look_first: true });
  const stranger = await collector(app);
  t.same((await stranger.call('GET')).json().collect_links, []);
  t.equal((await stranger.call('PATCH', `/${id}`, { name: 'Mine' })).statusCode, 404);
  t.equal((await stranger.call('DELETE', `/${id}`)).statusCode, 404);
  const reader = await createApiToken(app, owner.account, ['albums:read', 'images:read']);
  for (const [method, path, payload] of [
    ['GET', '', undefined],
    ['POST', '', { name: 'x', album: owner.album }],
    ['PATCH', `/${id}`, { name: 'x' }],
    ['DELETE', `/${id}`, undefined],
    ['GET', '/waiting', undefined],
    ['POST', '/waiting/admit', { ids: [id] }],
    ['POST', '/waiting/refuse', { ids: [id] }],
    ['GET', `/waiting/${id}/thumbnail.webp`, undefined],
  ] as const) {
    const call = { method, url: `/api/collect-links${path}`, ...(payload && { payload }) };
    t.equal((await app.inject(call)).statusCode, 401, `${method} ${path}`);
    t.equal((await app.inject({ ...call, headers: reader.bearer })).statusCode, 403, `${method} ${path}`);
  }
});

t.test('a token for one album sees and changes only the links and waiting images of that album', async (t) => {
  const { account, album, link, ask } = await collector(app);
  const { id: otherAlbum } = (await ask('POST', '/api/albums', { name: 'Other' })).json().album;
  const [own, foreign] = [await link({ look_first: true }), await link({ album: otherAlbum, look_first: true })];
  for (const { path } of [own, foreign]) await addFiles(app, path, await guestOf(app, path), await pictures(['a.png']));
  const { bearer: headers } = await createApiToken(app, account, ['albums:share', 'albums:write'], { album });
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
    app.inject({ method, url: `/api/collect-links${path}`, headers, ...(payload && { payload }) });
  t.match((await call('GET', '')).json().collect_links, [{ id: own.id }]);
  t.equal((await call('DELETE', `/${foreign.id}`)).statusCode, 404);
  t.equal((await call('POST', '', { name: 'x', album: otherAlbum })).statusCode, 404);
  const { images } = (await call('GET', '/waiting')).json();
  t.match(images, [{ album }]);
  const all = (await ask('GET', '/api/collect-links/waiting')).json().images.map(({ id }: { id: string }) => id);
  t.same((await call('POST', '/waiting/admit', { ids: all })).json().decided, [images[0].id]);
});

t.test('a deleted album ends its links and leaves their images, and a deleted account has neither', async (t) => {
  const { album, link, ask, call, waiting } = await collector(app);
  const { path } = await link({ look_first: true });
  await addFiles(app, path, await guestOf(app, path), await pictures(['a.png']));
  await ask('DELETE', `/api/albums/${album}`);
  t.equal(await statusOf(path), 404);
  const [image] = await waiting();
  t.match(image, { collect_link: null, album: null, guest: null });
  t.same((await call('POST', '/waiting/admit', { ids: [image?.id] })).json().decided, [image?.id]);
  const again = await collector(app);
  const kept = await again.link();
  await addFiles(app, kept.path, await guestOf(app, kept.path), await pictures(['a.png']));
  const user = await findUser(app.db, again.account.id);
  t.ok(user && (await app.images.deleteAccount(user)));
  t.equal(await statusOf(kept.path), 404);
  t.equal((await app.db.execute(sql`select 1 from collected_images where owner_id = ${again.account.id}`)).length, 0);
});

t.test(
  'a token whose images expire makes and opens no collect link, because what guests add does not expire',
  async (t) => {
    const { account, album, link } = await collector(app);
    const { id } = await link();
    const token = await createApiToken(app, account, ['albums:read', 'albums:share'], { images_expire_in: '1d' });
    for (const [method, url, payload] of [
      ['POST', '/api/collect-links', { name: 'Party', album }],
      ['PATCH', `/api/collect-links/${id}`, { open: true }],
    ] as const) {
      const answer = await app.inject({ method, url, headers: token.bearer, payload });
      t.match(answer.json(), { statusCode: 403, code: 'SCOPE_NEEDED' }, method);
    }
  },
);
