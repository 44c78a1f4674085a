/** With "look first", nobody but the owner and the guest sees an image before it was admitted. */
import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import t from 'tap';
import { hideImages, showImages } from '../admin/commands/images/queries.ts';
import type { Image, Scope } from '../contract.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { addFiles, collector, guestOf, pictures } from '../testing/guests/collector.ts';
import { noise } from '../testing/pictures.ts';
import { waitingForLocks } from '../testing/waiting.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
/** Another process of the same gallery. */
const other = await buildTestApp(t, { ...config, jwtSecret: undefined });

const large = { name: 'waiting-name.jpg', bytes: await noise(1800, 40) };
const get = (url: string, headers = {}, server = app) => server.inject({ url, headers });
const pathIn = (url: string) => new URL(url).pathname;

/** An album with a waiting image, its guest, a public page of the album, shares of both, and a token for the album. */
async function withWaiting() {
  const owner = await collector(app);
  const { account, album, ask, link, call } = owner;
  const { path } = await link({ look_first: true, open: true, name: 'Party' });
  const guest = await guestOf(app, path);
  const [own] = (await addFiles(app, path, guest, [large])).json().images;
  const page = pathIn((await ask('POST', `/api/albums/${album}/link`)).json().url);
  const [{ id }] = (await call('GET', '/waiting')).json().images;
  const image = (await ask('GET', `/api/images/${id}`)).json().image as Image;
  const share = async (contents: object) =>
    pathIn((await ask('POST', '/api/shares', { name: 'Share', ...contents })).json().share.url);
  const shares = [await share({ album }), await share({ images: [id] })];
  const token = await createApiToken(app, account, ['images:read', 'albums:read', 'originals:read'], { album });
  return { ...owner, path, guest, own, page, id, image, shares, token };
}

const linksOf = ({ url, thumbnail_url, screen_url }: Image) => [url, thumbnail_url, screen_url].map(pathIn);

t.test('a waiting image is on no list, zip, share, page or link for anyone but its owner and guest', async (t) => {
  const found = await withWaiting();
  const { ask, album, image, id, own, path, page, shares, token, guest } = found;
  const stranger = await collector(app);
  const visitor = await guestOf(app, path);
  const code = own.id;
  /** What others can ask for, with what the answer may not contain. */
  const texts = [
    page,
    ...shares.flatMap((share) => [share, `${share}/oembed`]),
    ...[`${path}/album`, `${path}/images`],
  ];
  for (const server of [app, other]) {
    for (const headers of [{}, visitor]) {
      for (const url of texts) {
        const { body } = await get(url, { ...headers, accept: '*/*' }, server);
        for (const secret of ['waiting-name', id, code, ...linksOf(image).map((link) => link.slice(3, 25))]) {
          t.notOk(body.includes(secret), `${url} contains ${secret}`);
        }
      }
      for (const share of shares) t.equal((await get(`${share}/zip`, headers, server)).statusCode, 404);
      for (const kind of ['thumbnail.webp', 'screen.webp', 'thumbnail.avif', 'screen.avif']) {
        t.equal((await get(`${path}/i/${code}/${kind}`, headers, server)).statusCode, 404, kind);
      }
      for (const url of linksOf(image)) t.equal((await get(url, headers, server)).statusCode, 404, url);
    }
  }
  for (const headers of [stranger.account.bearer, token.bearer]) {
    for (const url of [`/api/images/${id}`, `/api/images/${id}/original`, `/api/images/archive?ids=${id}`]) {
      t.equal((await get(url, headers)).statusCode, 404, url);
    }
    t.same((await get('/api/images/?search=waiting', headers)).json().images, []);
    t.same((await get('/api/images/', headers)).json().images, []);
  }
  t.same((await ask('GET', `/api/albums/${album}`)).json().images, [], 'it is not in the album');
  t.equal((await get(pathIn(own.thumbnail_url), guest)).statusCode, 200, 'its guest sees it');
  t.match(image.hidden, { waiting: true, legal: false, reason: null }, 'and so does its owner');
});

t.test('bytes that the guest and the owner have seen do not reach the link through the cache', async (t) => {
  const { own, guest, image, call, account } = await withWaiting();
  const [waiting] = (await call('GET', '/waiting')).json().images;
  for (const url of [own.thumbnail_url, own.screen_url]) t.equal((await get(pathIn(url), guest)).statusCode, 200);
  for (const url of [waiting.thumbnail_url, waiting.screen_url]) {
    t.equal((await get(pathIn(url), account.bearer)).statusCode, 200);
    t.equal((await get(pathIn(url))).statusCode, 401);
  }
  for (const url of linksOf(image)) t.equal((await get(url)).statusCode, 404, url);
});

t.test('the owner sees what waits, with the name of the guest, and its renditions', async (t) => {
  const { link, waiting, account, album } = await collector(app);
  const made = await link({ look_first: true, asks_name: true });
  const guest = await guestOf(app, made.path, { name: 'Amira' });
  await addFiles(app, made.path, guest, [large, ...(await pictures(['b.png']))]);
  const [second, first] = await waiting();
  t.match(second, { filename: 'b.png', guest: 'Amira', collect_link: made.id, album });
  t.match(first, { filename: 'waiting-name.jpg', content_type: 'image/jpeg', width: 1800 });
  const { thumbnail_url, screen_url } = first as unknown as Image;
  for (const url of [thumbnail_url, screen_url].map(pathIn)) {
    const shown = await get(url, account.bearer);
    t.match([shown.statusCode, shown.headers], [200, { 'cache-control': 'private, no-store' }], url);
    t.equal((await get(url, (await collector(app)).account.bearer)).statusCode, 404);
  }
});

t.test('an admitted image is in the album and open everywhere at once, a refused one is deleted', async (t) => {
  const { account, call, id, image, own, guest, path, page, shares, idsIn } = await withWaiting();
  for (const server of [app, other]) for (const url of linksOf(image)) await get(url, {}, server);
  const unknown = '00000000-0000-7000-8000-000000000000';
  t.same((await call('POST', '/waiting/admit', { ids: [id.toUpperCase(), unknown] })).json(), {
    decided: [id],
    unknown: [unknown],
  });
  t.same(await idsIn(), [id]);
  for (const url of [...linksOf(image), page, `${shares[0]}/zip`]) t.equal((await get(url)).statusCode, 200, url);
  const zipped = unzipSync((await get(`${shares[0]}/zip`)).rawPayload);
  t.same(Object.keys(zipped), ['waiting-name.jpg']);
  t.match((await get(`${path}/album`)).json().images, [{ id: own.id, waiting: false }]);
  t.same((await call('GET', '/waiting')).json(), { images: [], page: 1, total: 0, totalPages: 0 });
  t.same((await call('POST', '/waiting/refuse', { ids: [id] })).json().decided, [], 'it waits no more');
  const reach = { ownerId: account.id, albumId: null };
  t.equal(await app.images.delete(reach, id, { only: 'waiting' }), false, 'also if it is admitted at the same moment');
  t.equal((await get(linksOf(image)[0] ?? '')).statusCode, 200);

  await addFiles(app, path, guest, await pictures(['no.png']));
  const [next] = (await call('GET', '/waiting')).json().images;
  t.same((await call('POST', '/waiting/refuse', { ids: [next.id] })).json().decided, [next.id]);
  t.match((await get(`${path}/images`, guest)).json(), { total: 1 });
});

t.test('only valid ids, and at most 100, are decided in one call', async (t) => {
  const { call } = await collector(app);
  const many = Array.from({ length: 101 }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`);
  for (const ids of [[], ['x'], many]) {
    for (const path of ['admit', 'refuse']) t.equal((await call('POST', `/waiting/${path}`, { ids })).statusCode, 400);
  }
  t.equal((await call('POST', '/waiting/admit', { ids: many.slice(1) })).statusCode, 200);
});

t.test('what the administrator hides and shows again is still not open before it is admitted', async (t) => {
  const { id, image, call, waiting } = await withWaiting();
  const statuses = async () => Promise.all(linksOf(image).map(async (url) => (await get(url)).statusCode));
  t.same(await showImages(app.db, [id]), []);
  t.same(await statuses(), [404, 404, 404], 'to show waits for the owner');
  await hideImages(app.db, [id], { reason: 'because', legal: true });
  t.same((await call('POST', '/waiting/admit', { ids: [id] })).json().decided, [], 'a hidden image cannot be admitted');
  t.same(await statuses(), [451, 451, 451]);
  t.same(await showImages(app.db, [id]), [{ id, waiting: true }]);
  await eventually('it waits again', async () => (await statuses()).every((status) => status === 404));
  t.match(await waiting(), [{ id }]);
  await call('POST', '/waiting/admit', { ids: [id] });
  await hideImages(app.db, [id], { reason: null, legal: false });
  t.same(await showImages(app.db, [id]), [{ id, waiting: false }], 'once it is admitted, to show opens it');
  await eventually('it is open', async () => (await statuses()).every((status) => status === 200));
});

t.test('an image that the administrator hides while its owner admits it stays hidden', async (t) => {
  const { id, image, call, idsIn } = await withWaiting();
  const admitting = await app.db.transaction(async (tx) => {
    await hideImages(tx, [id], { reason: null, legal: true });
    const admitting = call('POST', '/waiting/admit', { ids: [id] });
    await eventually('the owner waits for the row', async () => (await waitingForLocks(tx)) > 0);
    return { answer: admitting };
  });
  t.same((await admitting.answer).json(), { decided: [], unknown: [id] });
  const isClosed = async () => (await get(linksOf(image)[0] ?? '')).statusCode === 451;
  await eventually('it is closed', isClosed);
  t.same(await idsIn(), []);
});

t.test('bytes that the administrator has hidden stay hidden if a guest adds them again', async (t) => {
  const { account, link, call, waiting, idsIn, ask } = await collector(app);
  const file = { name: 'taken-down.jpg', bytes: await noise(300, 41) };
  const [first] = await storeFiles(app, account, [file]);
  await hideImages(app.db, [first?.id ?? ''], { reason: 'because', legal: true });
  const { path } = await link({ look_first: true, open: true });
  await addFiles(app, path, await guestOf(app, path), [file]);
  t.same(await waiting(), [], 'its owner is not asked');
  const { images } = (await ask('GET', '/api/images')).json() as { images: Image[] };
  const again = images.find(({ id }) => id !== first?.id);
  t.match(again, { hidden: { reason: 'because', legal: true } });
  t.same((await call('POST', '/waiting/admit', { ids: [again?.id] })).json().decided, []);
  t.equal((await get(pathIn(again?.url ?? ''))).statusCode, 451);
  t.same(await idsIn(), []);
  t.same(await showImages(app.db, [again?.id ?? '']), [{ id: again?.id, waiting: true }], 'once shown, it waits');
});

t.test('a waiting image cannot be put into an album', async (t) => {
  const { id, album, ask, idsIn } = await withWaiting();
  t.match((await ask('POST', `/api/albums/${album}/images`, { ids: [id] })).json(), { added: 0, unknown: [id] });
  t.same(await idsIn(), []);
});

t.test('a token needs the scope for what happens to the images', async (t) => {
  const { id, account } = await withWaiting();
  const decide = async (path: string, ...scopes: Scope[]) => {
    const { bearer: headers } = await createApiToken(app, account, scopes);
    const url = `/api/collect-links/waiting/${path}`;
    return (await app.inject({ method: 'POST', url, headers, payload: { ids: [id] } })).statusCode;
  };
  t.same([await decide('admit', 'albums:share'), await decide('refuse', 'albums:share')], [403, 403]);
  t.equal(await decide('refuse', 'images:delete'), 200);
});

t.test('an image is stored under the setting of the moment at which it is stored', async (t) => {
  const { link, call, idsIn, waiting } = await collector(app);
  const { path, id } = await link();
  const guest = await guestOf(app, path);
  const files = await pictures(Array.from({ length: 12 }, (_, at) => `${at}.png`));
  const toggle = (look_first: boolean) => call('PATCH', `/${id}`, { look_first });
  const statuses = await Promise.all(
    files.flatMap((file, at) => [addFiles(app, path, guest, [file]), toggle(at % 2 === 0)]),
  );
  t.same(new Set(statuses.map(({ statusCode }) => statusCode)), new Set([200, 201]));
  const [open, held] = [await idsIn(), (await waiting()).map((image) => image.id)];
  t.equal(open.length + held.length, 12);
  const wrong = await app.db.execute(sql`
    select 1 from images left join album_images entry on entry.image_id = images.id
    where images.id in (select image_id from collected_images where link_id = ${id})
      and (waiting <> (hidden_at is not null) or waiting = (entry.image_id is not null))`);
  t.same([...wrong], [], 'each waits and is hidden, or is in the album');
});

t.test(
  'only the copy that a guest sent waits: the same bytes of the owner, or by another link, are shown',
  async (t) => {
    const { account, link, waiting, idsIn } = await collector(app);
    const [looked, direct] = [await link({ look_first: true }), await link()];
    const [file] = await pictures(['same.png']);
    const files = file ? [file] : [];
    await addFiles(app, looked.path, await guestOf(app, looked.path), files);
    const [own] = await storeFiles(app, account, files);
    t.equal(own?.hidden, undefined);
    t.equal((await app.inject(new URL(own?.url ?? '').pathname)).statusCode, 200);
    const guest = await guestOf(app, direct.path);
    const answer = (await addFiles(app, direct.path, guest, files)).json();
    t.match(answer.images, [{ waiting: false }]);
    t.equal((await waiting()).length, 1);
    t.equal((await idsIn()).length, 1);
    await addFiles(app, looked.path, await guestOf(app, looked.path), files);
    t.equal((await waiting()).length, 2, 'after shown copies, a further one waits');
  },
);
