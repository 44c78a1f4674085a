import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import t from 'tap';
import type { Image } from '../contract.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { grainyPhotograph as photograph } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { watchDecoder } from '../testing/watched-decoder.ts';

// Wide enough for a screen rendition, and just high enough for AVIF to save bytes.
const large = await photograph(1640, 240);

const { decoder, decoded } = watchDecoder();
const app = await buildTestApp(t, { options: { decoder } });

// A server that makes background renditions, including some left by a stopped server.
const dataDir = await temporaryFolder(t);
const { url: databaseUrl } = await createTestDatabase(t);
const stopped = await buildTestApp(t, { dataDir, databaseUrl });
const ownerBefore = await signIn(stopped);
await storeFiles(stopped, ownerBefore, [
  { name: 'one.jpg', bytes: await photograph(1640, 80, 1) },
  { name: 'two.jpg', bytes: await photograph(1640, 80, 2) },
]);
await stopped.close();
const ahead = await buildTestApp(t, { dataDir, databaseUrl, renditionsAhead: 'on', options: { idleAfter: 0 } });

const pathOf = (url: string | null) => new URL(url ?? 'none:').pathname;
const get = async (app: FastifyInstance, url: string | null) => app.inject({ url: pathOf(url) });

async function listed(app: FastifyInstance, { bearer }: TestAccount): Promise<Image[]> {
  return (await app.inject({ url: '/api/images/', headers: bearer })).json().images;
}

const filesOf = async (id = 'none') => (await storedFiles(dataDir)).filter((file) => file.includes(id));

t.test('a large photograph gets screen and AVIF renditions in the background', async (t) => {
  const account = await signIn(ahead);
  const [image] = await storeFiles(ahead, account, [{ name: 'large.jpg', bytes: large }]);
  t.match(image, { thumbnail_avif_url: null, screen_avif_url: null, screen_url: /\/screen\.webp$/ });
  await eventually('an AVIF for the screen', async () => (await listed(ahead, account))[0]?.screen_avif_url !== null);

  const [now] = await listed(ahead, account);
  for (const [url, type, format, width] of [
    [now?.screen_url ?? '', 'image/webp', 'webp', 1600],
    [now?.screen_avif_url ?? '', 'image/avif', 'heif', 1600],
    [now?.thumbnail_avif_url ?? '', 'image/avif', 'heif', 480],
  ] as const) {
    const answer = await get(ahead, url);
    t.match(answer, { statusCode: 200, headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } }, url);
    t.match(await sharp(answer.rawPayload).metadata(), { format, width, height: Math.round((width * 240) / 1640) });
  }
  const webp = await get(ahead, now?.screen_url ?? '');
  const avif = await get(ahead, now?.screen_avif_url ?? '');
  t.ok(avif.rawPayload.length <= webp.rawPayload.length * 0.8, 'AVIF saves at least a fifth');
});

t.test('concurrent requests for a missing screen rendition make it once', async (t) => {
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'large.jpg', bytes: large }]);
  decoded.length = 0;
  const answers = await Promise.all(Array.from({ length: 12 }, () => get(app, image?.screen_url ?? '')));
  t.same([...new Set(answers.map(({ statusCode }) => statusCode))], [200]);
  t.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 1);
  t.equal(decoded.length, 1);
  t.equal((await get(app, image?.screen_url ?? '')).statusCode, 200);
  t.equal(decoded.length, 1);
  t.match(await listed(app, account), [{ screen_avif_url: null, thumbnail_avif_url: null }]);
});

t.test('small, animated and vector images are shown as originals', async (t) => {
  const account = await signIn(app);
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="2000"><path d="M0 0h9v9z"/></svg>';
  const images = await storeFiles(app, account, [
    { name: 'small.jpg', bytes: await photograph(1600, 120) },
    {
      name: 'moving.gif',
      bytes: await sharp({ create: { width: 2000, height: 20, channels: 3, background: 'red' } })
        .gif()
        .toBuffer(),
    },
    { name: 'drawing.svg', bytes: Buffer.from(drawing) },
  ]);
  for (const { url, screen_url, filename } of images) {
    t.equal(screen_url, url, filename);
    t.equal((await get(app, url.replace(/\.\w+$/, '/screen.avif'))).statusCode, 404, filename);
  }
});

t.test('a picture no larger than its thumbnail has no screen rendition', async (t) => {
  const account = await signIn(app);
  const bytes = await sharp({ create: { width: 480, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const [image] = await storeFiles(app, account, [{ name: 'small.png', bytes }]);
  t.equal((await get(app, image?.url.replace(/\.\w+$/, '/screen.webp') ?? '')).statusCode, 404);
});

t.test('a deletion removes every rendition', async (t) => {
  const account = await signIn(ahead);
  const [image] = await storeFiles(ahead, account, [{ name: 'large.jpg', bytes: large }]);
  await eventually('an AVIF for the screen', async () => (await listed(ahead, account))[0]?.screen_avif_url !== null);
  t.equal((await filesOf(image?.id)).length, 5);
  const [now] = await listed(ahead, account);
  const answer = await ahead.inject({
    method: 'DELETE',
    url: `/api/images/delete/${image?.id}`,
    headers: account.bearer,
  });
  t.equal(answer.statusCode, 204);
  t.same(await filesOf(image?.id), []);
  for (const url of [now?.screen_url, now?.screen_avif_url, now?.thumbnail_avif_url]) {
    t.equal((await get(ahead, url ?? '')).statusCode, 404);
  }
});

t.test('due renditions left by a stop are made after the next start', async (t) => {
  await eventually('an AVIF of each picture', async () =>
    (await listed(ahead, ownerBefore)).every(({ screen_avif_url }) => screen_avif_url !== null),
  );
  t.equal((await listed(ahead, ownerBefore)).length, 2);
});
