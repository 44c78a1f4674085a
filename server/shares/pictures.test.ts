/** Bytes below a share, and who gets them. */
import { once } from 'node:events';
import { get } from 'node:http';
import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import t from 'tap';
import { hideImages } from '../admin/commands/images/queries.ts';
import { setDisabled } from '../auth/queries.ts';
import { buildTestApp, listen, testConfig } from '../testing/app.ts';
import { bulky, noise, picture, placed } from '../testing/pictures.ts';
import { accountWith, addressesOn, password, visitorOf } from '../testing/share.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
/** Another process of the same gallery. */
const other = await buildTestApp(t, { ...config, jwtSecret: undefined });

const large = { name: 'large.jpg', bytes: await noise(1800, 40) };

const addresses = async (path: string, headers = {}) => addressesOn(await app.inject({ url: path, headers }));
const statuses = async (urls: string[], headers = {}, server = app) =>
  Promise.all(urls.map(async (url) => (await server.inject({ url, headers })).statusCode));
const each = <T>(urls: string[], value: T) => urls.map(() => value);

t.test('a share serves originals and renditions with validators and ranges, to private caches only', async (t) => {
  const { share, images } = await accountWith(app, [large]);
  const { path } = await share();
  const urls = (await addresses(path)).filter((url) => url.includes('/i/'));
  t.same(urls.map((url) => url.replace(/.*\/i\/[\w-]{22}/, '')).sort(), ['.jpg', '/screen.webp', '/thumbnail.webp']);
  for (const url of urls) {
    const whole = await app.inject(url);
    const permanent =
      new URL(images[0]?.url ?? '').pathname.replace(/\.jpg$/, '') + url.replace(/.*\/i\/[\w-]{22}/, '');
    t.ok(whole.rawPayload.equals((await app.inject(permanent)).rawPayload), url);
    t.match(whole.headers, {
      'cache-control': 'private, max-age=300, must-revalidate',
      'content-security-policy': /sandbox/,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    const { etag } = whole.headers;
    t.equal((await app.inject({ url, headers: { 'if-none-match': etag } })).statusCode, 304);
    const part = await app.inject({ url, headers: { range: 'bytes=1-4' } });
    t.same([part.statusCode, part.rawPayload], [206, whole.rawPayload.subarray(1, 5)]);
    const head = await app.inject({ method: 'HEAD', url });
    t.same([head.statusCode, head.headers['content-length']], [200, String(whole.rawPayload.length)]);
  }
});

t.test(
  'without the cookie of a protected share there are no bytes, and the cookie of another share opens nothing',
  async (t) => {
    const { share } = await accountWith(app);
    const [one, two] = [await share({ password }), await share({ password })];
    const visitor = await visitorOf(app, one.path);
    const urls = await addresses(one.path, visitor);
    t.ok(urls.length >= 3);
    t.same(await statuses(urls, visitor), each(urls, 200));
    t.same(await statuses(urls), each(urls, 404));
    t.same(await statuses(urls, await visitorOf(app, two.path)), each(urls, 404));
    for (const url of urls.filter((address) => address.includes('/i/'))) {
      const { etag } = (await app.inject({ url, headers: visitor })).headers;
      t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 404);
      t.equal((await app.inject({ url, headers: { 'if-none-match': etag } })).statusCode, 404);
      t.equal((await app.inject({ url, headers: { range: 'bytes=0-9' } })).statusCode, 404);
    }
    const renamed = {
      cookie: (await visitorOf(app, two.path)).cookie.replace(/^[^=]+/, visitor.cookie.split('=')[0] ?? ''),
    };
    t.same(await statuses(urls, renamed), each(urls, 404), 'nor does its value under the name of the right one');
  },
);

t.test('a new password, and its removal and return, end the cookies of an earlier one', async (t) => {
  const { share, call } = await accountWith(app);
  const { path, id } = await share({ password });
  const visitor = await visitorOf(app, path);
  const urls = await addresses(path, visitor);
  await call('PATCH', `/${id}`, { password: 'another good one' });
  t.same(await statuses(urls, visitor), each(urls, 404));
  await call('PATCH', `/${id}`, { password });
  t.same(await statuses(urls, visitor), each(urls, 404), 'also if the password is the same again');
  await call('PATCH', `/${id}`, { password: null });
  t.same(await statuses(urls), each(urls, 200), 'without a password the link is enough');
});

t.test('a restore of an earlier password revives no cookie of a later one', async (t) => {
  const { share, call } = await accountWith(app);
  const { path, id } = await share({ password });
  const hash = async () =>
    (await app.db.execute<{ hash: string }>(sql`select password_hash as hash from shares where id = ${id}`))[0]?.hash;
  const restored = await hash();
  await call('PATCH', `/${id}`, { password: 'lost in the restore' });
  const visitor = await visitorOf(app, path, 'lost in the restore');
  const urls = await addresses(path, visitor);
  await app.db.execute(sql`update shares set password_hash = ${restored} where id = ${id}`);
  t.same(await statuses(urls, visitor), each(urls, 404));
  await call('PATCH', `/${id}`, { password: 'another good one' });
  t.same(await statuses(urls, visitor), each(urls, 404));
});

t.test('an ended share answers 410 at once on every process, for its page and its bytes', async (t) => {
  const { share, call } = await accountWith(app);
  const [deleted, expired] = [await share(), await share({ expires_in: '5m', password })];
  const visitor = await visitorOf(app, expired.path);
  const urls = [
    ...[deleted.path, ...(await addresses(deleted.path))],
    ...[expired.path, ...(await addresses(expired.path, visitor))],
  ];
  for (const server of [app, other]) t.same(await statuses(urls.slice(0, 4), {}, server), each(urls.slice(0, 4), 200));
  t.equal((await call('DELETE', `/${deleted.id}`)).statusCode, 204);
  await app.db.execute(sql`update shares set expires_at = now() where id = ${expired.id}`);
  for (const server of [app, other]) {
    t.same(await statuses(urls, visitor, server), each(urls, 410));
    t.match((await server.inject(urls[1] ?? '')).json(), { code: 'SHARE_ENDED' });
  }
});

t.test('a visit during a rotation does not bring the former permanent link back', async (t) => {
  const server = await buildTestApp(t);
  const { share, images, ids, account } = await accountWith(server, [large]);
  const { path } = await share();
  const former = new URL(images[0]?.thumbnail_url ?? '').pathname;
  const url = addressesOn(await server.inject(path)).find((address) => address.endsWith('/thumbnail.webp')) ?? '';
  const { links } = server.images;
  const { fillRendition } = links;
  links.fillRendition = async (...args) => {
    links.fillRendition = fillRendition;
    const rotate = { method: 'POST', url: '/api/images/rotate', headers: account.bearer } as const;
    t.equal((await server.inject({ ...rotate, payload: { ids } })).statusCode, 200);
    return fillRendition(...args);
  };
  t.equal((await server.inject(url)).statusCode, 404);
  t.equal((await server.inject(former)).statusCode, 404);
  t.equal((await server.inject(url)).statusCode, 200);
});

t.test('no cache keeps bytes longer than the share or the image exists', async (t) => {
  const { share, images } = await accountWith(app);
  const { path, id } = await share();
  const [url = ''] = await addresses(path);
  const maxAge = async () =>
    Number(/max-age=(\d+)/.exec(String((await app.inject(url)).headers['cache-control']))?.[1]);
  await app.db.execute(sql`update shares set expires_at = now() + interval '100 s' where id = ${id}`);
  t.ok((await maxAge()) <= 100);
  await app.db.execute(sql`update images set expires_at = now() + interval '50 s' where id = ${images[0]?.id}`);
  t.ok((await maxAge()) <= 50);
});

t.test('a share without originals serves renditions only, also in its archive', async (t) => {
  const { share } = await accountWith(app, [large, { name: 'small.png', bytes: await picture() }]);
  const open = await share();
  const { path } = await share({ originals: false });
  const shown = await addresses(path);
  t.notMatch(
    shown.filter((url) => /\.(?:jpg|png)$/.test(url)),
    /./,
  );
  const [zip = ''] = shown.filter((url) => url.endsWith('/zip'));
  t.same(Object.keys(unzipSync((await app.inject(zip)).rawPayload)), ['large.webp', 'small.webp']);
  const originals = (await addresses(open.path)).filter((url) => /\.(?:jpg|png)$/.test(url));
  t.equal(originals.length, 2);
  const codes = shown.flatMap((url) => /\/i\/([\w-]{22})/.exec(url)?.[1] ?? []);
  for (const code of codes) t.same(await statuses([`${path}/i/${code}.jpg`, `${path}/i/${code}.png`]), [404, 404]);
});

t.test('the ZIP of a share without originals makes each screen when its turn comes, and HEAD makes none', async (t) => {
  const { share, ids } = await accountWith(app, [{ name: 'medium.jpg', bytes: await noise(1000, 41) }]);
  const { path } = await share({ originals: false });
  const screen = async () =>
    (await app.db.execute(sql`select screen_sha256 from images where id = ${ids[0]}`))[0]?.screen_sha256;
  const head = await app.inject({ method: 'HEAD', url: `${path}/zip` });
  t.match([head.statusCode, head.headers['content-type']], [200, 'application/zip']);
  t.equal(await screen(), null);
  t.same(Object.keys(unzipSync((await app.inject(`${path}/zip`)).rawPayload)), ['medium.webp']);
  t.ok(await screen());
});

t.test('without details, pictures are numbered, and no gap shows a hidden one', async (t) => {
  const files = await Promise.all(
    [31, 32, 33].map(async (width) => ({ name: `secret-${width}.png`, bytes: await picture({ width }) })),
  );
  const { share, ids } = await accountWith(app, files);
  const { path } = await share({ details: false });
  await hideImages(app.db, [ids[1] ?? ''], { reason: 'a report', legal: false });
  const { body } = await app.inject(path);
  t.same(
    [...body.matchAll(/alt="(Image \d+)"/g)].map(([, alt]) => alt),
    ['Image 1', 'Image 2'],
  );
  t.same(Object.keys(unzipSync((await app.inject(`${path}/zip`)).rawPayload)), ['image-0001.webp', 'image-0002.webp']);
});

t.test('a share without downloads has no archive', async (t) => {
  const { share } = await accountWith(app);
  const { path } = await share({ download: false });
  t.notMatch((await app.inject(path)).body, /zip/i);
  t.equal((await app.inject(`${path}/zip`)).statusCode, 404);
});

t.test(
  'hidden and expired images answer as on permanent links; silenced links and disabled accounts have no shares',
  async (t) => {
    const { share, images, account, album } = await accountWith(app, [
      large,
      { name: 'b.png', bytes: await picture() },
    ]);
    const { path } = await share();
    const ofAlbum = await share({ album: (await album()).id, images: undefined });
    const inAlbum = (await addresses(ofAlbum.path)).filter((url) => url.includes('/i/'));
    const urls = (await addresses(path)).filter((url) => /\.(?:jpg|png)$/.test(url));
    await hideImages(app.db, [images[0]?.id ?? ''], { reason: 'a report', legal: true });
    await app.db.execute(sql`update images set expires_at = now() where id = ${images[1]?.id}`);
    t.same(await statuses(urls), [451, 410]);
    t.equal((await app.inject(`${path}/zip`)).statusCode, 404);
    const page = await app.inject(path);
    t.match(page.body, 'There are no images here at the moment.');
    const legal = inAlbum.filter((url) => /\.jpg$|screen/.test(url));
    t.same(await statuses(legal), each(legal, 451), 'also in an album');
    t.notMatch((await addresses(ofAlbum.path)).join(' '), '/i/');
    const silence = (at: string | null) =>
      app.db.execute(sql`update users set links_silenced_at = ${at}::timestamptz where id = ${account.id}`);
    await silence(new Date().toISOString());
    const all = [path, ofAlbum.path, ...urls, ...inAlbum];
    for (const server of [app, other]) t.same(await statuses(all, {}, server), each(all, 404), 'silenced');
    await silence(null);
    t.same(await statuses([path, ...urls]), [200, 451, 410]);
    await setDisabled(app.db, account.id, true);
    for (const server of [app, other]) t.same(await statuses(all, {}, server), each(all, 404), 'disabled');
  },
);

t.test('more than 500 images are downloaded in several parts', async (t) => {
  const { share, account, ids } = await accountWith(app);
  await app.db.execute(sql`
    insert into images (id, owner_id, content_id, link_key, filename, search_name, extension, content_type, size, sha256,
      width, height, placeholder)
    select gen_random_uuid(), owner_id, id, left(md5(number::text || id::text), 22), 'copy.png', search_name,
      extension, content_type, size, sha256, width, height, placeholder
    from images, generate_series(1, 501) number where id = ${ids[0]}`);
  const rows = await app.db.execute<{ id: string }>(sql`select id from images where owner_id = ${account.id}`);
  const { path } = await share({ images: rows.map(({ id }) => id) });
  const links = (await addresses(path)).filter((url) => url.includes('/zip'));
  t.same(links, [`${path}/zip?part=1`, `${path}/zip?part=2`]);
  const answers = await Promise.all(links.map((url) => app.inject(url)));
  t.same(
    answers.map(({ headers }) => headers['content-disposition']),
    [1, 2].map((part) => `attachment; filename="Summer (${part} of 2).zip"`),
  );
  const parts = answers.map(({ rawPayload }) => unzipSync(rawPayload));
  t.same(
    parts.map((files) => Object.keys(files).length),
    [500, 2],
  );
  t.equal(new Set(parts.flatMap((files) => Object.keys(files))).size, 502, 'each image once');
  t.equal((await app.inject(`${path}/zip?part=3`)).statusCode, 404);
});

t.test('HEAD of a ZIP answers as GET, and 410 after the end', async (t) => {
  const { share, call } = await accountWith(app);
  const { path, id } = await share({ name: 'Sommer/Été' });
  const whole = await app.inject(`${path}/zip`);
  const head = await app.inject({ method: 'HEAD', url: `${path}/zip` });
  t.equal(head.statusCode, 200);
  t.equal(head.body, '');
  for (const name of ['content-type', 'content-length', 'content-disposition', 'cache-control'])
    t.equal(head.headers[name], whole.headers[name], name);
  t.match(whole.headers['content-disposition'], "filename*=UTF-8''Sommer_%C3%89t%C3%A9.zip");
  await call('DELETE', `/${id}`);
  t.equal((await app.inject({ method: 'HEAD', url: `${path}/zip` })).statusCode, 410);
});

t.test('codes of other shares, paths and permanent keys open nothing', async (t) => {
  const { share, images } = await accountWith(app);
  const [one, two] = [await share(), await share()];
  const codeOf = async (path: string) => /\/i\/([\w-]{22})/.exec((await addresses(path))[0] ?? '')?.[1] ?? '';
  const code = await codeOf(one.path);
  t.not(code, await codeOf(two.path), 'each share has its own codes');
  const key = new URL(images[0]?.url ?? '').pathname.slice(3, 25);
  const tricks = [
    ...[await codeOf(two.path), key, 'A'.repeat(22), `${code.slice(0, 21)}${code.endsWith('x') ? 'w' : 'x'}`].map(
      (text) => `i/${text}.png`,
    ),
    ...[
      `i/${code}.png.png`,
      `i/${code}`,
      `i/${code}/../${code}.png/x`,
      'i/..%2f..%2fi',
      'i/%00.png',
      'i/',
      `i/${code}/screen.webp`,
    ],
    ...[`i/${code}/thumbnail.avif`, `../../i/${key}x.png`, '%2e%2e/i'],
  ];
  for (const trick of tricks) t.equal((await app.inject(`${one.path}/${trick}`)).statusCode, 404, trick);
  t.equal((await app.inject(`${one.path}/i/${code}.png`)).statusCode, 200);
});

t.test('originals are without the place, whatever the server does on permanent links', async (t) => {
  const server = await buildTestApp(t, { stripLocation: 'off' });
  const bytes = await placed();
  const { share, images } = await accountWith(server, [{ name: 'a.jpg', bytes }]);
  const { path } = await share();
  const [url = ''] = addressesOn(await server.inject(path)).filter((address) => address.endsWith('.jpg'));
  t.ok((await server.inject(new URL(images[0]?.url ?? '').pathname)).rawPayload.includes('SN-4711-0815'));
  t.notOk((await server.inject(url)).rawPayload.includes('SN-4711-0815'));
  const [entry] = Object.values(unzipSync((await server.inject(`${path}/zip`)).rawPayload));
  t.ok(entry && entry.length === bytes.length && !Buffer.from(entry).includes('SN-4711-0815'));
});

t.test('a share of an album shows what is added later, and nothing that left it', async (t) => {
  const { share, album, ids, account } = await accountWith(app, [large, { name: 'b.png', bytes: await picture() }]);
  const { id, add } = await album();
  const { path } = await share({ album: id, images: undefined });
  const originals = async () => (await addresses(path)).filter((url) => /\.(?:jpg|png)$/.test(url));
  const before = await originals();
  t.equal(before.length, 2);
  const remove = { method: 'DELETE', url: `/api/albums/${id}/images`, headers: account.bearer } as const;
  await app.inject({ ...remove, payload: { ids: ids.slice(0, 1) } });
  t.same(await statuses(before), [404, 200]);
  await add(ids.slice(0, 1));
  t.same(await originals(), before.toReversed(), 'addresses stay the same');
});

t.test('a change in mid-download ends the archive before the next picture', async (t) => {
  const server = await buildTestApp(t);
  const files = await Promise.all(
    [1600, 1601, 1602].map(async (side) => ({ name: `${side}.png`, bytes: await bulky(side, side) })),
  );
  const { share, call, ids, album, account } = await accountWith(server, files);
  const { id: albumId } = await album();
  const origin = await listen(server);
  const [last = ''] = ids.slice(-1);

  /** @returns the received part of an archive, as a fraction */
  async function receivedAfter(path: string, change: () => Promise<unknown>): Promise<number> {
    const [response] = await once(get(`${origin}${path}/zip`), 'response');
    await once(response, 'readable');
    await change();
    let received = 0;
    const closed = new Promise((resolve) => response.on('close', resolve));
    response.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    response.on('error', () => undefined);
    await closed;
    t.equal(response.complete, received === Number(response.headers['content-length']));
    return received / Number(response.headers['content-length']);
  }

  const { path, id } = await share({ album: albumId, images: undefined });
  t.equal(await receivedAfter(path, async () => undefined), 1, 'without a change it is whole');
  const changes = {
    'an image left the album': () =>
      server.inject({
        ...{ method: 'DELETE', url: `/api/albums/${albumId}/images`, headers: account.bearer },
        payload: { ids: [last] },
      }),
    'downloads were turned off': () => call('PATCH', `/${id}`, { download: false }),
    'originals were turned off': () => call('PATCH', `/${id}`, { download: true, originals: false }),
  };
  t.ok((await receivedAfter(path, changes['an image left the album'])) < 1, 'an image left the album');
  t.ok((await receivedAfter(path, changes['downloads were turned off'])) < 1, 'downloads were turned off');
  await call('PATCH', `/${id}`, { download: true });
  t.ok((await receivedAfter(path, changes['originals were turned off'])) < 1, 'originals were turned off');

  const selection = await share();
  const [url = ''] = addressesOn(await server.inject(selection.path)).filter((address) => address.endsWith('.png'));
  const hide = () => hideImages(server.db, [last], { reason: 'a report', legal: false });
  t.ok((await receivedAfter(selection.path, hide)) < 1, 'an image was hidden');
  t.ok((await receivedAfter(selection.path, () => call('DELETE', `/${selection.id}`))) < 1, 'the share ended');
  t.equal((await server.inject({ url, headers: { range: 'bytes=1000-' } })).statusCode, 410);
});

t.test('without originals, pictures smaller than a screen keep their size, on the page and in the ZIP', async (t) => {
  const files = [
    { name: 'photo.jpg', bytes: await picture({ width: 1500, height: 1000 }) },
    {
      name: 'drawing.webp',
      bytes: await sharp(await picture({ width: 900, height: 600 }))
        .webp()
        .toBuffer(),
    },
    {
      name: 'small.png',
      bytes: await sharp(await picture({ width: 300, height: 200 }))
        .png()
        .toBuffer(),
    },
  ];
  const { share } = await accountWith(app, files);
  const { path } = await share({ originals: false });
  const shown = (await addresses(path)).filter((url) => url.endsWith('/screen.webp'));
  const widthOf = async (bytes: Uint8Array) => (await sharp(bytes).metadata()).width;
  const widths = await Promise.all(shown.map(async (url) => widthOf((await app.inject(url)).rawPayload)));
  t.same(widths.sort(), [1500, 900], 'a picture no larger than its thumbnail has only that');
  const entries = unzipSync((await app.inject(`${path}/zip`)).rawPayload);
  const packed = await Promise.all(Object.values(entries).map(widthOf));
  t.same(packed.sort(), [1500, 300, 900]);
});
