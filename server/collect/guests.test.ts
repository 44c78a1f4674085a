/** What guests see, add and remove. */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import t from 'tap';
import { hideImages } from '../admin/commands/images/queries.ts';
import { withoutLinkKey, withoutLinkKeys } from '../images/links/link-paths.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import {
  addFiles,
  collector,
  enter,
  guestOf,
  openUploadOf,
  pictures,
  sendPartOf,
} from '../testing/guests/collector.ts';
import { noise, picture } from '../testing/pictures.ts';
import { tusHeaders } from '../testing/tus.ts';
import { insertGuest } from './public-queries.ts';

const app = await buildTestApp(t);
const password = 'rather-a-good-one';
const large = { name: 'large.jpg', bytes: await noise(1800, 40) };

type Shown = { id: string; filename: string | null; own: boolean; waiting: boolean; thumbnail_url: string };

const get = (url: string, headers = {}) => app.inject({ url, headers });
const listOf = async (path: string, guest: object, list = 'images') =>
  (await get(`${path}/${list}`, guest)).json().images as Shown[];
const pathIn = (url = '') => new URL(url).pathname;

t.test('a guest adds images to the album, sees the renditions, and removes one', async (t) => {
  const { link, idsIn, call } = await collector(app);
  const { path, id } = await link();
  const guest = await guestOf(app, path);
  const answer = await addFiles(app, path, guest, [large, ...(await pictures(['b.png']))]);
  t.equal(answer.statusCode, 201);
  const { images } = answer.json();
  t.match(images, [{ filename: 'large.jpg', own: true, waiting: false }, { filename: 'b.png' }]);
  const ids = await idsIn();
  t.equal(ids.length, 2);
  t.same(await listOf(path, guest), [...images].reverse(), 'the newest first');
  for (const url of [images[0].thumbnail_url, images[0].screen_url, images[1].thumbnail_url].map(pathIn)) {
    const shown = await get(url, guest);
    t.match([shown.statusCode, shown.headers], [200, { 'cache-control': /^private, max-age=/ }], url);
  }
  t.equal(
    (await app.inject({ method: 'DELETE', url: `${path}/images/${images[0].id}`, headers: guest })).statusCode,
    204,
  );
  t.same(await idsIn(), ids.slice(1));
  t.equal((await get(pathIn(images[0].thumbnail_url), guest)).statusCode, 404);
  t.match((await call('GET')).json().collect_links, [{ id, files: 1 }], 'a removed image makes room');
});

t.test('the page of a link says what is left, and before the password nothing but its name', async (t) => {
  const { link } = await collector(app);
  const { path } = await link({ password, asks_name: true, open: true, max_files: 2, max_bytes: 1_000_000 });
  t.equal((await get(`${path}/link`)).headers['cache-control'], 'no-store');
  const closed = { name: 'Party', protected: true, asks_name: true, is_guest: false, guest_name: null, limits: null };
  t.same((await get(`${path}/link`)).json(), closed);
  t.match((await enter(app, path, { name: 'Amira', password: 'wrong' })).json(), { code: 'WRONG_PASSWORD' });
  t.match((await enter(app, path, { password })).json(), { code: 'INVALID_REQUEST' }, 'without the name');
  t.match((await enter(app, path, { password, name: 'x'.repeat(61) })).json(), { code: 'INVALID_REQUEST' });
  const guest = await guestOf(app, path, { name: ' Amira\nB. ', password });
  const files = await pictures(['a.png']);
  await addFiles(app, path, guest, files);
  const size = Buffer.from(files[0]?.bytes ?? '').length;
  t.match((await get(`${path}/link`, guest)).json(), {
    ...{ is_guest: true, guest_name: 'Amira B.' },
    limits: { open: true, look_first: false, max_files: 2, files_left: 1, bytes_left: 1_000_000 - size },
  });
});

t.test('the cookie is for its link alone, unreadable to scripts, and stored as a hash', async (t) => {
  const { link } = await collector(app);
  const [one, two] = [await link(), await link()];
  const answer = await enter(app, one.path);
  const [cookie] = answer.cookies;
  t.match(cookie, { path: one.path, httpOnly: true, sameSite: 'Lax' });
  const rows = await app.db.execute(sql`select token_hash from collect_guests where link_id = ${one.id}`);
  const hash = createHash('sha256').update(cookie?.value ?? '');
  t.same([...rows], [{ token_hash: hash.digest('hex') }]);
  const guest = { cookie: `${cookie?.name}=${cookie?.value}` };
  t.equal((await get(`${one.path}/images`, guest)).statusCode, 200);
  t.match((await get(`${two.path}/images`, guest)).json(), { statusCode: 403, code: 'GUEST_NEEDED' });
  t.match((await addFiles(app, two.path, guest, await pictures(['a.png']))).json(), { code: 'GUEST_NEEDED' });
  t.match((await get(`${one.path}/images`, { cookie: `${cookie?.name}=x` })).json(), { code: 'GUEST_NEEDED' });
  await app.db.execute(sql`update collect_guests set expires_at = now() where link_id = ${one.id}`);
  t.match((await get(`${one.path}/images`, guest)).json(), { code: 'GUEST_NEEDED' }, 'after 90 days');
});

t.test('over https the cookie is sent over https alone', async (t) => {
  const secure = await buildTestApp(t, { publicUrl: 'https://img.example.com' });
  const { path } = await (await collector(secure)).link();
  t.match((await enter(secure, path)).cookies, [{ name: '__Secure-guest', secure: true, path }]);
});

t.test('a call with the cookie from the page of another site changes nothing', async (t) => {
  const { link, idsIn } = await collector(app);
  const { path } = await link();
  const guest = { ...(await guestOf(app, path)), origin: 'https://elsewhere.example' };
  t.match((await addFiles(app, path, guest, await pictures(['a.png']))).json(), { code: 'FOREIGN_ORIGIN' });
  t.match((await enter(app, path, {}, guest)).json(), { code: 'FOREIGN_ORIGIN' });
  t.same(await idsIn(), []);
});

t.test('after a new password, guests enter again and keep their images', async (t) => {
  const { link, call } = await collector(app);
  const { path, id } = await link({ open: true });
  const guest = await guestOf(app, path);
  const [image] = (await addFiles(app, path, guest, await pictures(['a.png']))).json().images;
  await call('PATCH', `/${id}`, { password });
  for (const url of [`${path}/images`, `${path}/album`, pathIn(image.thumbnail_url)]) {
    t.match((await get(url, guest)).json(), { statusCode: 403, code: 'GUEST_NEEDED' }, url);
  }
  t.match((await get(`${path}/link`, guest)).json(), { is_guest: false, limits: null });
  const again = await enter(app, path, { password }, guest);
  t.match([again.statusCode, again.cookies], [200, [{ value: guest.cookie.split('=')[1] }]], 'the cookie stays');
  t.same(await listOf(path, guest), [image]);
  await call('PATCH', `/${id}`, { password: null });
  t.same(await listOf(path, guest), [image], 'without a password, none is asked for');
});

t.test('a guest who enters again keeps the name that the link does not ask for any more', async (t) => {
  const { link, call, waiting } = await collector(app);
  const { path, id } = await link({ asks_name: true, look_first: true });
  const guest = await guestOf(app, path, { name: 'Amira' });
  await addFiles(app, path, guest, await pictures(['a.png']));
  await call('PATCH', `/${id}`, { asks_name: false, password });
  const entered = await enter(app, path, { password }, guest);
  t.match(entered.cookies, [{ value: guest.cookie.split('=')[1], path }], 'the cookie lives longer');
  t.match(await waiting(), [{ guest: 'Amira' }]);
});

t.test('after the end a guest sees and removes own images, and nobody anything else', async (t) => {
  const { link, call, idsIn } = await collector(app);
  const { path, id } = await link({ open: true });
  const [guest, other] = [await guestOf(app, path), await guestOf(app, path)];
  for (const headers of [guest, other]) await addFiles(app, path, headers, await pictures(['a.png', 'b.png']));
  const [mine, theirs] = [(await listOf(path, guest))[0], (await listOf(path, other))[0]];
  await call('DELETE', `/${id}`);
  t.equal((await listOf(path, guest)).length, 2);
  t.equal((await get(pathIn(mine?.thumbnail_url), guest)).statusCode, 200);
  t.equal((await get(pathIn(theirs?.thumbnail_url), guest)).statusCode, 410);
  const remove = async (code = '') =>
    (await app.inject({ method: 'DELETE', url: `${path}/images/${code}`, headers: guest })).statusCode;
  t.same([await remove(mine?.id), await remove(theirs?.id)], [204, 404]);
  t.equal((await idsIn()).length, 3);
});

t.test('a guest who adds nothing is forgotten after a day, others after 90', async (t) => {
  const { link } = await collector(app);
  const { path } = await link();
  const guest = await guestOf(app, path);
  const days = async () => {
    const [row] = await app.db.execute<{ days: number }>(sql`
      select round(extract(epoch from guest.expires_at - now()) / 86400)::int as days
      from collect_guests guest join collect_links link on link.id = guest.link_id
      where link.key = ${path.slice(3)}`);
    return row?.days;
  };
  t.equal(await days(), 1);
  await enter(app, path, {}, guest);
  t.equal(await days(), 1);
  await addFiles(app, path, guest, await pictures(['a.png']));
  t.equal(await days(), 90);
});

t.test('ten wrong passwords a minute are checked for a link, and guests go on', async (t) => {
  const limited = await buildTestApp(t, { rateLimit: 'on' });
  const { link } = await collector(limited);
  const [one, two] = [await link({ password }), await link({ password })];
  const guest = await guestOf(limited, one.path, { password });
  for (let at = 0; at < 10; at += 1) t.equal((await enter(limited, one.path, { password: 'wrong' })).statusCode, 403);
  const refused = await enter(limited, one.path, { password });
  t.match([refused.statusCode, refused.headers], [429, { 'retry-after': /^\d+$/ }], 'even the right one');
  t.equal((await enter(limited, two.path, { password })).statusCode, 200, 'another link has its own count');
  t.equal((await limited.inject({ url: `${one.path}/images`, headers: guest })).statusCode, 200);
});

t.test('an address may enter 60 times a minute', async (t) => {
  const limited = await buildTestApp(t, { rateLimit: 'on' });
  const { link } = await collector(limited);
  const { path } = await link();
  const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await enter(limited, path)).statusCode));
  t.same(
    [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length],
    [60, 1],
  );
});

t.test('guests of a blind link see their own images only, and cannot remove or read those of others', async (t) => {
  const { link, account, ask, album, idsIn } = await collector(app);
  const { path } = await link();
  const [owned] = await storeFiles(app, account, await pictures(['owned.png']), { query: `?album=${album}` });
  const [one, two] = [await guestOf(app, path), await guestOf(app, path)];
  const [image] = (await addFiles(app, path, one, await pictures(['x.png', 'own-secret-name.png']))).json().images;
  t.same(await listOf(path, two), []);
  t.equal((await get(`${path}/album`, two)).statusCode, 404);
  for (const guest of [two, {}]) {
    for (const kind of ['thumbnail.webp', 'screen.webp', 'thumbnail.avif', 'screen.avif']) {
      t.equal((await get(`${path}/i/${image.id}/${kind}`, guest)).statusCode, 404, kind);
    }
  }
  const ids = await idsIn();
  for (const code of [
    image.id,
    owned?.id,
    ids[0],
    new URL(owned?.url ?? '').pathname.slice(3, 25),
    '..',
    '%2e%2e',
    'x',
  ]) {
    const answer = await app.inject({ method: 'DELETE', url: `${path}/images/${code}`, headers: two });
    t.equal(answer.statusCode, 404, code);
  }
  t.same(await idsIn(), ids);
  t.equal((await ask('GET', `/api/images/${owned?.id}`)).statusCode, 200);
});

t.test('guests of an open link see the album without names, also before they enter', async (t) => {
  const { link, account, album } = await collector(app);
  const { path } = await link({ open: true });
  await storeFiles(app, account, [large], { query: `?album=${album}` });
  const guest = await guestOf(app, path);
  await addFiles(app, path, guest, await pictures(['mine.png']));
  t.match(await listOf(path, guest, 'album'), [
    { filename: null, own: false },
    { filename: 'mine.png', own: true },
  ]);
  const seen = await listOf(path, {}, 'album');
  t.match(seen, [{ filename: null }, { filename: null }]);
  for (const { thumbnail_url } of seen) t.equal((await get(pathIn(thumbnail_url))).statusCode, 200);
  const own = seen[0]?.id;
  const answer = await app.inject({ method: 'DELETE', url: `${path}/images/${own}`, headers: guest });
  t.equal(answer.statusCode, 404, 'what a guest sees is not theirs to remove');
});

t.test('an image that the administrator hides is gone for guests too', async (t) => {
  const { link, idsIn } = await collector(app);
  const { path } = await link({ open: true });
  const guest = await guestOf(app, path);
  const [image] = (await addFiles(app, path, guest, await pictures(['a.png']))).json().images;
  t.equal((await get(pathIn(image.thumbnail_url), guest)).statusCode, 200);
  await hideImages(app.db, await idsIn(), { reason: null, legal: false });
  t.same([await listOf(path, guest), await listOf(path, guest, 'album')], [[], []]);
  t.equal((await get(pathIn(image.thumbnail_url), guest)).statusCode, 404);
});

t.test(
  'a file is stored once under its key, for each guest, however often and in whatever way it is sent',
  async (t) => {
    const { link, idsIn } = await collector(app);
    const { path } = await link();
    const [one, two] = [await guestOf(app, path), await guestOf(app, path)];
    const [file] = await pictures(['a.png']);
    if (!file) throw new Error('no picture');
    const bytes = Buffer.from(file.bytes);
    const send = async (guest: { cookie: string }) =>
      (await addFiles(app, path, guest, [file], { keys: ['key-1'] })).json().images[0].id;
    const first = await send(one);
    t.equal(await send(one), first);
    const at = String((await openUploadOf(app, path, one, bytes.length, { key: 'key-1' })).headers.location);
    t.equal((await sendPartOf(app, at, one, 0, bytes)).json().image.id, first);
    const { ids } = (await get(`${path}/uploaded`, { ...one, 'upload-keys': 'key-1,key-2' })).json();
    t.same(ids, [first, null]);
    t.same((await get(`${path}/uploaded`, { ...two, 'upload-keys': 'key-1' })).json().ids, [null]);
    t.not(await send(two), first, "another guest's key is another one");
    t.equal((await idsIn()).length, 2);
  },
);

t.test('a resumable upload belongs to its guest, and its answers have no permanent link', async (t) => {
  const { link, idsIn } = await collector(app);
  const { path } = await link();
  const [one, two] = [await guestOf(app, path), await guestOf(app, path)];
  const bytes = await picture({ width: 70 });
  const opened = await openUploadOf(app, path, one, bytes.length, { name: 'phone.png', key: 'k' });
  const at = String(opened.headers.location);
  t.ok(at.startsWith(`${path}/uploads/`));
  t.equal((await sendPartOf(app, at, one, 0, bytes.subarray(0, 50))).statusCode, 204);
  const id = at.split('/').at(-1);
  for (const [method, url, headers] of [
    ['HEAD', at, two],
    ['GET', at, two],
    ['DELETE', at, two],
    ['HEAD', at, {}],
    ['DELETE', `/api/uploads/${id}`, one],
  ] as const) {
    const answer = await app.inject({ method, url, headers: { ...tusHeaders, ...headers } });
    t.ok([401, 403, 404].includes(answer.statusCode), `${method} ${url}: ${answer.statusCode}`);
  }
  t.equal((await sendPartOf(app, at, two, 50, bytes.subarray(50))).statusCode, 404);
  const head = await app.inject({ method: 'HEAD', url: at, headers: { ...tusHeaders, ...one } });
  t.match(head.headers, { 'upload-offset': 50, 'upload-metadata': /^filename [^,]+$/ });
  const done = await sendPartOf(app, at, one, 50, bytes.subarray(50));
  t.match(done.json(), { state: 'stored', image: { filename: 'phone.png', own: true } });
  t.notMatch(done.body, /\/i\/[\w-]{22}\.png|"url"|delete_url/);
  t.equal((await idsIn()).length, 1);
});

t.test('a guest decides nothing but the name of a file', async (t) => {
  const { link, ask } = await collector(app);
  const { path } = await link();
  const { id: elsewhere } = (await ask('POST', '/api/albums', { name: 'Elsewhere' })).json().album;
  const guest = await guestOf(app, path);
  const bytes = await picture({ width: 71 });
  const pairs = { filename: 'a.png', album: elsewhere, expires_in: '5m', delete_link: '1' };
  const metadata = Object.entries(pairs).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
  const opened = await app.inject({
    method: 'POST',
    url: `${path}/uploads`,
    headers: {
      ...{ ...tusHeaders, ...guest, 'upload-length': String(bytes.length) },
      'upload-metadata': metadata.join(),
    },
  });
  await sendPartOf(app, String(opened.headers.location), guest, 0, bytes);
  t.same((await ask('GET', `/api/albums/${elsewhere}`)).json().images, []);
  t.match((await ask('GET', '/api/images/')).json().images, [{ filename: 'a.png', expires_at: null }]);
});

t.test('a key is good for nothing else: no list, no deletion, no other path', async (t) => {
  const { link, idsIn, ask } = await collector(app);
  const { path } = await link({ open: true });
  const guest = await guestOf(app, path);
  const [image] = (await addFiles(app, path, guest, await pictures(['a.png']))).json().images;
  const key = path.slice(3);
  const [id] = await idsIn();
  for (const [method, url] of [
    ['GET', '/api/images/'],
    ['GET', '/api/collect-links'],
    ['DELETE', `/api/images/delete/${id}`],
    ['POST', '/api/images/upload'],
    ['GET', `/s/${key}`],
    ['GET', `/a/${key}`],
    ['GET', `/i/${key}.png`],
    ['GET', `/d/${key}`],
    ['GET', `${path}/i/${image.id}.png`],
    ['GET', `${path}/zip`],
    ['GET', `${path}/i/${id}/thumbnail.webp`],
    ['GET', `${path}/../api/images/`],
    ['GET', `${path}/%2e%2e/i/${image.id}/thumbnail.webp`],
    ['GET', `/c/${key}x/link`],
    ['GET', `/c/${key.slice(1)}/link`],
    ['GET', `/c/${'x'.repeat(22)}/link`],
    ['DELETE', path],
    ['DELETE', `${path}/images`],
  ] as const) {
    const answer = await app.inject({ method, url, headers: { ...guest, authorization: `Bearer ${key}` } });
    t.ok([401, 404, 405].includes(answer.statusCode), `${method} ${url}: ${answer.statusCode}`);
  }
  t.equal((await ask('GET', `/api/images/${id}`)).statusCode, 200);
});

t.test('the key of a collect link stays out of the log', async (t) => {
  const { link } = await collector(app);
  const { path } = await link();
  t.equal(withoutLinkKey(`${path}/upload`), '/c/[key]/upload');
  const key = path.slice(3);
  for (const line of [path, `GET ${path}x`, `%2Fc%2F${key.slice(0, 18)}`, `/%63/${key}`, `/%43/${key}`]) {
    t.notMatch(withoutLinkKeys(line), key.slice(0, 18), line);
  }
});

t.test('an opening that replaces an upload of the same file deletes it only if it is allowed', async (t) => {
  const { link, call } = await collector(app);
  const { path, id } = await link({ max_files: 1 });
  const guest = await guestOf(app, path);
  const open = () => openUploadOf(app, path, guest, 100, { key: 'k' });
  const first = String((await open()).headers.location);
  const statusOf = async (url: string) =>
    (await app.inject({ method: 'HEAD', url, headers: { ...tusHeaders, ...guest } })).statusCode;
  t.equal((await call('PATCH', `/${id}`, { max_bytes: 50 })).statusCode, 200);
  t.match((await open()).json(), { code: 'COLLECT_FULL' });
  t.equal(await statusOf(first), 200, 'the earlier one can be continued');
  t.equal((await call('PATCH', `/${id}`, { max_bytes: 1000 })).statusCode, 200);
  const second = await open();
  t.equal(second.statusCode, 201, 'the earlier one does not count');
  t.same([await statusOf(first), await statusOf(String(second.headers.location))], [404, 200]);
});

t.test('a guest who is sending stays longer than one who is not', async (t) => {
  const { link } = await collector(app);
  const { path, id } = await link();
  const [sending, idle] = [await guestOf(app, path), await guestOf(app, path)];
  t.equal((await openUploadOf(app, path, sending, 100)).statusCode, 201);
  await insertGuest(app.db, { id: randomUUID(), linkId: id, tokenHash: 'new', name: null, passwordVersion: 0 }, 2);
  t.equal((await get(`${path}/images`, sending)).statusCode, 200);
  t.equal((await get(`${path}/images`, idle)).statusCode, 403);
});

t.test('in a link that is full of guests, those who added nothing make room', async (t) => {
  const { link } = await collector(app);
  const { path, id } = await link();
  const [busy, idle] = [await guestOf(app, path), await guestOf(app, path)];
  t.equal((await addFiles(app, path, busy, await pictures(['a.png']))).statusCode, 201);
  const insert = (token: string) =>
    insertGuest(app.db, { id: randomUUID(), linkId: id, tokenHash: token, name: null, passwordVersion: 0 }, 2);
  await insert('third');
  t.equal((await get(`${path}/images`, idle)).statusCode, 403, 'the guest who was idle enters again');
  t.equal((await listOf(path, busy)).length, 1);
  await app.db.execute(sql`delete from collect_guests where token_hash = 'third'`);
  const second = await guestOf(app, path);
  t.equal((await addFiles(app, path, second, await pictures(['b.png', 'c.png']))).statusCode, 201);
  await t.rejects(insert('fourth'), { code: 'TOO_MANY_GUESTS' });
});
