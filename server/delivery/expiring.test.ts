/** Links of images that expire: 410 from the moment on, in memory or not, and headers that end with them. */
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { hideImages } from '../admin/commands/images/queries.ts';
import { setDisabled } from '../auth/queries.ts';
import { createExpirySweep } from '../background/expired-images.ts';
import type { Image } from '../contract.ts';
import { NEVER } from '../images/expiry/expiry.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { noise, picture } from '../testing/pictures.ts';
import { createPublicHeaders } from './picture-headers.ts';
import { createRedirecting } from './redirecting.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
/** Another process of the same gallery, with a cache in front. */
const other = await buildTestApp(t, { ...config, cdnUrl: 'https://cdn.example.com' });

const bytes = await picture();
const minutes = (count: number) => count * 60_000;

/** Sets the clock of this process. The database keeps its own. */
function setClock(t: Test, ms: number): void {
  const { now } = Date;
  Date.now = () => ms;
  t.teardown(() => {
    Date.now = now;
  });
}

async function stored(account: TestAccount, query = '?expires_in=5m', file: Uint8Array = bytes): Promise<Image> {
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: file }], { query });
  if (!image) throw new Error('nothing was stored');
  return image;
}

const pathOf = (url: string) => new URL(url).pathname;
const pathsOf = ({ url, thumbnail_url }: Image) => [pathOf(url), pathOf(thumbnail_url)];

/** Puts the end of images into the past, and tells no cache of it. */
async function expire(...images: Image[]): Promise<void> {
  const ids = images.map(({ id }) => id).join();
  await app.db.execute(sql`update images set expires_at = now() where id = any(${`{${ids}}`}::uuid[])`);
}

/** Requests links until the server answers them from memory. */
async function warm(server: FastifyInstance, paths: string[]): Promise<void> {
  await eventually('answers from memory', async () => {
    const { misses } = server.images.links.figures();
    for (const path of paths) await server.inject(path);
    return server.images.links.figures().misses === misses;
  });
}

t.test('a link in memory answers 410 from its end on, without a write or a query in between', async (t) => {
  const image = await stored(await signIn(app));
  const paths = pathsOf(image);
  await warm(app, paths);
  const { misses } = app.images.links.figures();
  setClock(t, Date.parse(String(image.expires_at)) - 1);
  for (const path of paths) t.equal((await app.inject(path)).statusCode, 200, path);
  setClock(t, Date.parse(String(image.expires_at)));
  for (const path of paths) {
    const answer = await app.inject(path);
    t.match(answer.json(), { statusCode: 410, code: 'IMAGE_EXPIRED', message: /expired/ });
    t.equal(answer.headers['cache-control'], 'no-store');
    t.equal((await app.inject({ method: 'HEAD', url: path })).statusCode, 410, path);
  }
  t.equal(app.images.links.figures().misses, misses);
});

t.test('no cache may keep an expiring link for more than a minute, or beyond its end', async (t) => {
  const image = await stored(await signIn(app));
  const end = Date.parse(String(image.expires_at));
  for (const server of [app, other]) {
    for (const path of pathsOf(image)) {
      const control = async (headers = {}) => (await server.inject({ url: path, headers })).headers['cache-control'];
      t.equal(await control(), 'public, max-age=60, must-revalidate');
      const { etag } = (await server.inject(path)).headers;
      const { now } = Date;
      for (const [left, seconds] of [
        [59_900, 59],
        [1_500, 1],
        [400, 0],
      ] as const) {
        Date.now = () => end - left;
        t.equal(await control(), `public, max-age=${seconds}, must-revalidate`);
        t.equal(await control({ 'if-none-match': etag }), `public, max-age=${seconds}, must-revalidate`, 'a 304');
        Date.now = now;
      }
    }
  }
  const headers = createPublicHeaders(true);
  t.equal(headers('image/png', NEVER)['cache-control'], 'public, max-age=31536000, s-maxage=60, immutable');
  t.equal(headers('image/png', NEVER), headers('image/png', NEVER), 'built once');
});

t.test('a redirect and the bucket link behind it end with the image', async (t) => {
  const signed: number[] = [];
  const linkTo = createRedirecting(async (_key, { seconds }) => `https://bucket.example/${signed.push(seconds)}`);
  const source = {
    size: 1,
    etag: '"a"',
    open: async () => undefined,
    stored: { key: 'a', isVerified: async () => true },
  };
  const request = { method: 'GET', headers: {} } as Parameters<typeof linkTo>[2];
  const as = { contentType: 'image/png', disposition: 'inline' };
  setClock(t, 1_000_000);
  const secondsUntil = async (end: number) => (await linkTo(source, { ...as, end }, request))?.seconds;
  t.equal(await secondsUntil(NEVER), 60);
  t.equal(await secondsUntil(1_000_000 + minutes(5)), 60);
  t.equal(await secondsUntil(1_000_000 + 20_999), 20);
  t.equal(await secondsUntil(1_000_000 + 999), undefined, 'the server sends the bytes itself');
  t.same(signed, [60, 60, 20]);
});

t.test(
  'the sweep deletes expired images as their owner would, and their links stay 410 in all processes',
  async (t) => {
    const account = await signIn(app);
    const own = await noise(60, 40, 'png');
    const before = await storedFiles(config.dataDir);
    const kept = await stored(account, '');
    const shared = await stored(account);
    const [gone, later] = [await stored(account, '?expires_in=5m', own), await stored(account, '?expires_in=1h')];
    t.equal(kept.expires_at, null);
    for (const server of [app, other]) await warm(server, pathsOf(gone));
    await expire(shared, gone);
    await Promise.all([app.sweeps.run(), other.sweeps.run()]);
    const { images } = (await app.inject({ url: '/api/images', headers: account.bearer })).json();
    t.same(
      images.map(({ id }: Image) => id),
      [later.id, kept.id],
    );
    const usage = (await app.inject({ url: '/api/images/usage', headers: account.bearer })).json();
    t.match(usage, { images: 2, bytes: 2 * bytes.length });
    t.equal((await storedFiles(config.dataDir)).length, before.length + 2, 'one original and its thumbnail are left');
    for (const server of [app, other]) {
      for (const path of [...pathsOf(gone), ...pathsOf(shared)])
        await eventually('410', async () => (await server.inject(path)).json().code === 'IMAGE_EXPIRED');
      for (const path of [...pathsOf(kept), ...pathsOf(later)]) t.equal((await server.inject(path)).statusCode, 200);
    }
    await app.db.execute(sql`update ended_links set ended_at = now() - interval '91 days'`);
    await app.sweeps.run();
    t.equal((await app.db.execute(sql`select * from ended_links`)).length, 0);
  },
);

t.test('the sweep spares an image whose end was postponed after it was found', async (t) => {
  const account = await signIn(app);
  const image = await stored(account);
  t.equal(await app.images.delete({ ownerId: account.id, albumId: null }, image.id, { only: 'expired' }), false);
  t.equal((await app.inject(pathOf(image.url))).statusCode, 200);
});

t.test('a stopped sweep ends between two images, and the next one deletes the rest', async (t) => {
  const account = await signIn(app);
  const images = [await stored(account), await stored(account), await stored(account)];
  await expire(...images);
  const left = async () =>
    Number((await app.db.execute(sql`select 1 from images where owner_id = ${account.id}`)).length);
  const closing = new AbortController();
  const deletion: typeof app.images.delete = async (...args) => {
    closing.abort();
    return app.images.delete(...args);
  };
  await createExpirySweep({ db: app.db, deletion, log: app.log })(closing.signal);
  t.equal(await left(), 2);
  await app.sweeps.run();
  t.equal(await left(), 0);
});

t.test(
  'an expired image that is not swept yet is gone for its owner by id, in archives and on public pages',
  async (t) => {
    const account = await signIn(app);
    const [image, kept] = [await stored(account), await stored(account, '', await noise(60, 40, 'png'))];
    const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
      app.inject({ method, url: `/api/${url}`, headers: account.bearer, ...(payload && { payload }) });
    const { album } = (await call('POST', 'albums', { name: 'Trip' })).json();
    await call('POST', `albums/${album.id}/images`, { ids: [image.id, kept.id] });
    const { url } = (await call('POST', `albums/${album.id}/link`)).json();
    await expire(image);
    const page = (await app.inject(pathOf(url))).body;
    t.notMatch(page, pathOf(image.thumbnail_url));
    t.match(page, pathOf(kept.thumbnail_url));
    t.match(page, '1 image<');
    for (const path of [`images/${image.id}`, `images/${image.id}/original`, `images/archive?ids=${image.id}`])
      t.equal((await call('GET', path)).statusCode, 404, path);
    t.equal((await call('PATCH', `images/${image.id}`, { expires_in: null })).statusCode, 404, 'it cannot come back');
    const { covers } = (await call('GET', 'albums')).json().albums[0];
    t.equal(covers.length, 1);
    t.match(covers, [{ thumbnail_url: kept.thumbnail_url }]);
  },
);

t.test('the expired links of a closed account answer 404, and 410 again once it is open', async (t) => {
  const account = await signIn(app);
  const [swept, unswept] = [await stored(account), await stored(account)];
  await expire(swept);
  await app.sweeps.run();
  await expire(unswept);
  const paths = [...pathsOf(swept), ...pathsOf(unswept)];
  const statuses = async () => [
    ...new Set(await Promise.all(paths.map(async (path) => (await app.inject(path)).statusCode))),
  ];
  t.same(await statuses(), [410]);
  for (const status of [404, 410]) {
    await setDisabled(app.db, account.id, status === 404, true);
    await eventually(`${status}`, async () => `${await statuses()}` === `${status}`);
  }
});

for (const legal of [false, true]) {
  t.test(`a hidden link never answers 410 when its image expires${legal ? ', for legal reasons' : ''}`, async () => {
    const image = await stored(await signIn(app));
    await hideImages(app.db, [image.id], { reason: 'a report', legal });
    const answers = async (status: number) => {
      for (const path of pathsOf(image))
        await eventually(`${status}`, async () => (await app.inject(path)).statusCode === status);
    };
    await answers(legal ? 451 : 404);
    await expire(image);
    await answers(legal ? 451 : 404);
    await app.sweeps.run();
    await answers(404);
  });
}
