import contentDisposition from 'content-disposition';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { type SentFile, storeFiles } from '../testing/form.ts';
import { bulky, noise, picture, svg } from '../testing/pictures.ts';
import { openSocket } from '../testing/socket.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
const account = await signIn(app);

async function stored(file: SentFile) {
  const [image] = await storeFiles(app, account, [file]);
  if (!image) throw new Error('nothing was stored');
  return { image, url: new URL(image.url).pathname, thumbnail: new URL(image.thumbnail_url).pathname };
}

t.test('a link serves the original bytes with their detected type, without a login', async (t) => {
  const bytes = await noise(200, 100);
  const { url } = await stored({ name: 'photo.jpg', bytes });
  const answer = await app.inject(url);
  t.equal(answer.statusCode, 200);
  t.ok(answer.rawPayload.equals(bytes));
  t.match(answer.headers, {
    'content-type': 'image/jpeg',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /default-src 'none'.*sandbox/,
    'cross-origin-resource-policy': 'cross-origin',
    etag: /^"[\da-f]{64}"$/,
  });
});

t.test('the thumbnail is an upright WebP of at most 480 px without metadata', async (t) => {
  const { thumbnail } = await stored({
    name: 'turned.jpg',
    bytes: await picture({ format: 'jpeg', width: 1200, height: 600, orientation: 6 }),
  });
  const answer = await app.inject(thumbnail);
  t.match(answer.headers, {
    'content-type': 'image/webp',
    'cache-control': /immutable/,
    'x-content-type-options': 'nosniff',
  });
  const metadata = await sharp(answer.rawPayload).metadata();
  t.match(metadata, { format: 'webp', width: 240, height: 480 });
  t.notOk(metadata.exif);
});

t.test('a matching ETag answers 304 with the security headers', async (t) => {
  const { url } = await stored({ name: 'a.svg', bytes: svg });
  const { etag } = (await app.inject(url)).headers;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await app.inject({ url, headers: { 'if-none-match': String(known) } });
    t.equal(answer.statusCode, 304, String(known));
    t.equal(answer.body, '');
    t.match(answer.headers, { etag, 'content-security-policy': /sandbox/, 'x-content-type-options': 'nosniff' });
  }
  t.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200);
});

t.test('HEAD answers with the length and no body', async (t) => {
  const bytes = await picture();
  const { url } = await stored({ name: 'a.png', bytes });
  const answer = await app.inject({ method: 'HEAD', url });
  t.equal(answer.statusCode, 200);
  t.equal(answer.headers['content-length'], String(bytes.length));
  t.equal(answer.rawPayload.length, 0);
});

t.test('a range answers 206, an unsatisfiable one 416, and a malformed or multiple one is ignored', async (t) => {
  const bytes = await noise(100, 100);
  const { url } = await stored({ name: 'a.jpg', bytes });
  const size = bytes.length;
  const get = (range: string, more: Record<string, string> = {}) => app.inject({ url, headers: { range, ...more } });

  for (const [range, start, end] of [
    ['bytes=0-99', 0, 99],
    ['bytes=10-', 10, size - 1],
    ['bytes=-10', size - 10, size - 1],
    ['bytes=-9999999', 0, size - 1],
    ['BYTES=0-0', 0, 0],
    [`bytes=5-${size * 2}`, 5, size - 1],
  ] as const) {
    const answer = await get(range);
    t.equal(answer.statusCode, 206, range);
    t.equal(answer.headers['content-range'], `bytes ${start}-${end}/${size}`);
    t.equal(answer.headers['content-length'], String(end - start + 1));
    t.ok(answer.rawPayload.equals(bytes.subarray(start, end + 1)));
  }
  for (const range of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`]) {
    const answer = await get(range);
    t.equal(answer.statusCode, 416, range);
    t.equal(answer.headers['content-range'], `bytes */${size}`);
    t.equal(answer.headers['cache-control'], 'no-store');
  }
  const many = `bytes=${Array.from({ length: 1000 }, (_, index) => `${index}-${index}`).join(',')}`;
  for (const range of ['bytes=', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', many]) {
    const answer = await get(range);
    t.equal(answer.statusCode, 200, range.slice(0, 20));
    t.equal(answer.rawPayload.length, size);
  }
  const { etag } = (await app.inject(url)).headers;
  t.equal((await get('bytes=0-9', { 'if-range': String(etag) })).statusCode, 206);
  t.equal((await get('bytes=0-9', { 'if-range': '"other"' })).statusCode, 200);
});

t.test('any file name becomes a valid Content-Disposition header', async (t) => {
  const bytes = await picture();
  const names = [
    '🌇.png',
    'صورة.png',
    'a"; filename="evil.exe.png',
    "it's 100%.png",
    'x\u202Egpj.png',
    `${'写'.repeat(1000)}.png`,
  ];
  const images = await storeFiles(
    app,
    account,
    names.map((name) => ({ name, bytes })),
  );
  for (const [index, name] of names.entries()) {
    const answer = await app.inject(new URL(images[index]?.url ?? '').pathname);
    t.equal(answer.statusCode, 200, name);
    const header = String(answer.headers['content-disposition']);
    t.ok(header.length < 2000, `${header.length} bytes of header`);
    if (name.length > 120) continue;
    t.match(header, /^inline; filename=[\x20-\x7e]+$/);
    t.equal(contentDisposition.parse(header).parameters.filename, name);
  }
});

t.test('an SVG is sandboxed and saved as an attachment', async (t) => {
  const hostile = svg.replace('<rect', '<script>alert(1)</script><rect onload="alert(2)"');
  const { url } = await stored({ name: 'a.svg', bytes: hostile });
  t.match((await app.inject(url)).headers, {
    'content-type': 'image/svg+xml',
    'content-disposition': /^attachment/,
    'content-security-policy': /default-src 'none'.*sandbox/,
  });
});

t.test('unknown and malformed links answer 404', async (t) => {
  const { url, thumbnail } = await stored({ name: 'a.png', bytes: await picture() });
  const wrong = [
    url.replace('.png', '.jpg'),
    url.replace('.png', ''),
    `${url}.png`,
    url.replace(/\/i\/.{5}/, '/i/AAAAA'),
    '/i/',
    '/i/x',
    '/i/%00.png',
    '/i/..%2f..%2fjwt-secret',
    '/i/../../jwt-secret',
    thumbnail.replace('thumbnail', 'screen'),
    thumbnail.replace('thumbnail', 'original'),
  ];
  for (const path of wrong) t.equal((await app.inject(path)).statusCode, 404, path);
});

t.test('a client that reads nothing is cut, and one that reads receives everything', async (t) => {
  const impatient = await buildTestApp(t, { ...config, options: { readWithin: 100 } });
  const origin = await listen(impatient);
  const bytes = await bulky(2000, 1500);
  const { url } = await stored({ name: 'large.png', bytes });
  const connections = () =>
    new Promise<number>((resolve) => impatient.server.getConnections((_error, count) => resolve(count)));

  const { socket, send } = await openSocket(origin);
  await eventually('the connection is open', async () => (await connections()) === 1);
  socket.pause();
  await send(`GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await eventually('the server closes the connection', async () => (await connections()) === 0);
  t.pass('the server closed the connection');
  socket.destroy();

  const whole = Buffer.from(await (await fetch((await listen(app)) + url)).arrayBuffer());
  t.ok(whole.equals(bytes));
});

const navigation = { accept: 'text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8' };
const asDocument = { ...navigation, 'sec-fetch-dest': 'document' };

t.test('a browser that opens a link without an image gets a page, and everything else gets JSON', async (t) => {
  const { image, url, thumbnail } = await stored({ name: 'a.png', bytes: await picture() });
  await app.db.execute(sql`update images set expires_at = now() where id = ${image.id}`);
  for (const [path, status, title] of [
    [url.replace(/\/i\/.{5}/, '/i/AAAAA'), 404, "This image isn't available"],
    [url, 410, 'This image has expired'],
    [thumbnail, 410, 'This image has expired'],
  ] as const) {
    const refused = (headers: Record<string, string>) => app.inject({ url: path, headers });
    for (const headers of [navigation, asDocument]) {
      const page = await refused(headers);
      t.equal(page.statusCode, status);
      t.match(page.body, `<h1>${title.replace("'", '&#39;')}</h1>`);
      t.notMatch(page.body, '<script');
      t.match(page.headers, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Language, Sec-Fetch-Dest',
        'referrer-policy': 'no-referrer',
        'content-security-policy': /^default-src 'none';.*frame-ancestors 'none'$/,
      });
    }
    t.match((await refused({ ...asDocument, 'accept-language': 'ar' })).body, '<html lang="ar" dir="rtl">');
    const others: Record<string, string>[] = [
      {},
      { accept: '*/*' },
      { accept: 'application/json, text/html;q=0.5' },
      { accept: 'image/avif,image/webp,*/*;q=0.8', 'sec-fetch-dest': 'image' },
      { ...navigation, 'sec-fetch-dest': 'image' },
    ];
    for (const headers of others) {
      const answer = await refused(headers);
      t.match(answer.json(), { statusCode: status }, JSON.stringify(headers));
      t.equal(answer.headers.vary, 'Accept, Accept-Language, Sec-Fetch-Dest');
    }
  }
  const { url: found } = await stored({ name: 'b.png', bytes: await noise(60, 40, 'png') });
  t.equal((await app.inject({ url: found, headers: asDocument })).headers.vary, undefined);
});
