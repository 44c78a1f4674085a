import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { setDisabled } from '../auth/queries.ts';
import type { Album, Image } from '../contract.ts';
import { withoutLinkKey } from '../images/links/link-paths.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>' & </title>`;

const plain = await buildTestApp(t);
/** With short pages and operator settings. */
const configured = await buildTestApp(t, {
  pageSize: 2,
  publicUrl: 'https://pictures.example',
  abuseContact: 'mailto:abuse@example.com',
});

const bytes = await picture({ width: 40, height: 20 });

async function shared({ app = plain, name = 'Southwest', files = ['a.png'] } = {}) {
  const account = await signIn(app);
  const images =
    files.length === 0
      ? []
      : await storeFiles(
          app,
          account,
          files.map((file) => ({ name: file, bytes })),
        );
  const call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    app.inject({ method, url: `/api/albums/${path}`, headers: account.bearer, ...(payload ? { payload } : {}) });
  const { album } = (await call('POST', '', { name })).json<{ album: Album }>();
  if (images.length > 0) await call('POST', `${album.id}/images`, { ids: images.map(({ id }) => id) });
  const { url } = (await call('POST', `${album.id}/link`)).json<{ url: string }>();
  return { app, account, images, album, url, path: new URL(url).pathname, call };
}

const open = (app: FastifyInstance, path: string, headers: Record<string, string> = {}) =>
  app.inject({ url: path, headers });

const meta = ({ body }: LightMyRequestResponse, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(body)?.[1];

const pathOf = (url: string) => new URL(url).pathname;
const hrefs = ({ body }: LightMyRequestResponse) =>
  [...body.matchAll(/<li[^>]*><a [^>]*?href="([^"]+)"/g)].map(([, href]) => href);

t.test("anyone with the link sees the album and its pictures' links without a login", async (t) => {
  const { app, images, path } = await shared({ files: ['a.png', 'b.png', 'c.png'] });
  const page = await open(app, path);
  t.equal(page.statusCode, 200);
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  t.match(page.body, '<h1><bdi>Southwest</bdi></h1>');
  t.match(page.body, '3 images');
  t.same(
    hrefs(page),
    images.map(({ url }) => pathOf(url)),
  );
  for (const link of hrefs(page)) t.equal((await open(app, link ?? '')).statusCode, 200);
  const thumbnails = [...page.body.matchAll(/ src="(\/i\/[^"]+)"/g)].map(([, src]) => src);
  t.same(
    thumbnails,
    images.map(({ thumbnail_url }) => pathOf(thumbnail_url)),
  );
});

t.test('the link holds 128 random bits, and stays the same until it is ended', async (t) => {
  const { url, call, album } = await shared();
  t.match(url, /\/a\/[\w-]{22}$/);
  t.equal((await call('POST', `${album.id}/link`)).json().url, url);
  await call('DELETE', `${album.id}/link`);
  t.not((await call('POST', `${album.id}/link`)).json().url, url);
});

t.test('an ended link answers 404 at once, and its page is not cached', async (t) => {
  const { app, path, call, album, images } = await shared();
  t.equal((await open(app, path)).headers['cache-control'], 'no-store');
  t.equal((await call('DELETE', `${album.id}/link`)).statusCode, 204);
  const dead = await open(app, path);
  t.equal(dead.statusCode, 404);
  t.equal(dead.headers['cache-control'], 'no-store');
  t.equal(dead.headers['content-type'], 'text/html; charset=utf-8');
  t.match(dead.body, /This album isn(?:'|&#39;|&#x27;)t available/);
  t.notMatch(dead.body, 'Southwest');
  t.equal((await open(app, pathOf(images[0]?.url ?? ''))).statusCode, 200, "the image's own link stays");
});

t.test('a deleted album, an unknown key and an invalid key answer the same page', async (t) => {
  const { app, path, call, album } = await shared();
  await call('DELETE', album.id);
  const dead = await open(app, path);
  t.equal(dead.statusCode, 404);
  for (const other of [`/a/${'A'.repeat(22)}`, '/a/x', `/a/${'A'.repeat(23)}`, '/a/%00', `${path}?page=1`]) {
    const answer = await open(app, other);
    t.match([answer.statusCode, answer.body], [404, dead.body], other);
  }
});

t.test('the albums of a disabled account are not shown until it is enabled again', async (t) => {
  const { app, account, path } = await shared();
  await setDisabled(app.db, account.id, true);
  t.equal((await open(app, path)).statusCode, 404);
  await setDisabled(app.db, account.id, false);
  t.equal((await open(app, path)).statusCode, 200);
});

t.test('names and descriptions are escaped everywhere on the page', async (t) => {
  const { app, path } = await shared({ name: hostile, files: [`x" onload="alert(1)'<svg>.png`] });
  const { body, headers } = await open(app, path);
  t.notMatch(body, /<script>|<svg|<img src=x|content=""|alt="x"/);
  t.match(body, '<h1><bdi>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  t.match(body, 'alt="x&quot; onload=&quot;alert(1)&#39;&lt;svg&gt;.png"');
  t.equal(body.match(/<title>/g)?.length, 1);
  const policy = String(headers['content-security-policy']);
  t.match(policy, /^default-src 'none';/);
  t.match(policy, /;script-src 'self';require-trusted-types-for 'script';/);
  t.notMatch(policy, /unsafe|\*/);
  t.notMatch(body, /<style|style="|<script(?! type="module" src="\/assets\/album\/[\w-]+\.js">)| on\w+="/);
});

t.test('link previews get a title, a count and a picture, by absolute links', async (t) => {
  const { app, path, images } = await shared({
    app: configured,
    name: 'Sea & sand',
    files: ['a.png', 'b.png'],
  });
  const page = await open(app, path);
  const [first] = images;
  t.equal(meta(page, 'og:title'), 'Sea &amp; sand');
  t.equal(meta(page, 'og:description'), '2 images');
  t.equal(meta(page, 'og:type'), 'website');
  t.equal(meta(page, 'og:url'), `https://pictures.example${path}`);
  t.equal(meta(page, 'og:image'), first?.url);
  t.match(meta(page, 'og:image'), /^https:\/\/pictures\.example\/i\//);
  t.same([meta(page, 'og:image:width'), meta(page, 'og:image:height')], ['40', '20']);
  t.equal(meta(page, 'og:image:type'), 'image/png');
  t.equal(meta(page, 'twitter:card'), 'summary_large_image');
  t.equal(meta(page, 'twitter:image'), first?.url);
  t.equal(meta(page, 'robots'), 'noindex');
  t.equal(page.headers['x-robots-tag'], 'noindex');
});

t.test('without PUBLIC_URL the links of a preview use the requested host', async (t) => {
  const { app, path } = await shared();
  const page = await open(app, path, { host: 'home.example:8080' });
  t.equal(meta(page, 'og:url'), `http://home.example:8080${path}`);
  t.match(meta(page, 'og:image'), /^http:\/\/home\.example:8080\/i\//);
});

t.test("the preview's picture is the cover, on every page", async (t) => {
  const { app, path, images, call, album } = await shared({ app: configured, files: ['a', 'b', 'c', 'd', 'e'] });
  const shownOn = async (query: string) => pathOf(meta(await open(app, path + query), 'og:image') ?? '');
  const paths = images.map(({ url }) => pathOf(url));
  t.equal(await shownOn(''), paths[0]);
  t.equal(await shownOn('?page=3'), paths[0]);
  await call('PATCH', album.id, { cover: images[3]?.id });
  t.equal(await shownOn(''), paths[3]);
  t.equal(await shownOn('?page=2'), paths[3]);
});

t.test('previews use the screen rendition of large pictures, and the thumbnail of uncommon formats', async (t) => {
  const app = plain;
  const account = await signIn(app);
  const [large, avif] = (await storeFiles(app, account, [
    { name: 'large.png', bytes: await picture({ width: 3200, height: 16 }) },
    { name: 'small.avif', bytes: await picture({ width: 64, height: 32, format: 'avif' }) },
  ])) as Image[] as [Image, Image];
  const share = async (id: string) => {
    const inject = (method: 'POST', url: string, payload?: object) =>
      app.inject({ method, url: `/api/albums/${url}`, headers: account.bearer, ...(payload ? { payload } : {}) });
    const { album } = (await inject('POST', '', { name: 'One' })).json();
    await inject('POST', `${album.id}/images`, { ids: [id] });
    return open(app, pathOf((await inject('POST', `${album.id}/link`)).json().url));
  };
  const first = await share(large.id);
  t.equal(meta(first, 'og:image'), large.screen_url);
  t.same(
    ['width', 'height', 'type'].map((what) => meta(first, `og:image:${what}`)),
    ['1600', '8', 'image/webp'],
  );
  t.match(first.body, `srcset="${pathOf(large.thumbnail_url)} 480w, ${pathOf(large.screen_url)} 1600w"`);
  const second = await share(avif.id);
  t.equal(meta(second, 'og:image'), avif.thumbnail_url);
  t.equal(meta(second, 'og:image:type'), 'image/webp');
  t.match(second.body, ` href="${pathOf(avif.url)}"`);
});

t.test('pages link to each other, and a page past the last answers 404', async (t) => {
  const { app, path, images } = await shared({ app: configured, files: ['a', 'b', 'c', 'd', 'e'] });
  const first = await open(app, path);
  t.match(first.body, `<a rel="next" href="${path}?page=2">Next</a>`);
  t.notMatch(first.body, 'rel="prev"');
  t.match(first.body, 'Page 1 of 3');
  const second = await open(app, `${path}?page=2`);
  t.match(second.body, `<a rel="prev" href="${path}">Prev</a>`);
  t.same(
    hrefs(second),
    images.slice(2, 4).map(({ url }) => pathOf(url)),
  );
  t.notMatch((await open(app, `${path}?page=3`)).body, 'rel="next"');
  for (const query of ['?page=4', '?page=0', '?page=-1', '?page=x', '?page=1&page=2', `?page=${'9'.repeat(400)}`]) {
    t.equal((await open(app, path + query)).statusCode, 404, query);
  }
});

t.test('an empty album shows a message, and its preview has no picture', async (t) => {
  const { app, path } = await shared({ files: [] });
  const page = await open(app, path);
  t.equal(page.statusCode, 200);
  t.match(page.body, 'This album is still empty.');
  t.equal(meta(page, 'og:image'), undefined);
  t.equal(meta(page, 'twitter:card'), 'summary');
});

t.test('HEAD answers as GET does, without the page', async (t) => {
  const { app, path, call, album } = await shared();
  const head = await app.inject({ method: 'HEAD', url: path });
  const get = await open(app, path);
  t.same([head.statusCode, head.body], [200, '']);
  t.equal(head.headers['content-length'], get.headers['content-length']);
  t.equal(head.headers['cache-control'], 'no-store');
  await call('DELETE', `${album.id}/link`);
  t.equal((await app.inject({ method: 'HEAD', url: path })).statusCode, 404);
});

t.test('the page is in the language that the reader accepts', async (t) => {
  const { app, path } = await shared({ files: ['a', 'b'] });
  for (const [accepted, language, direction, count] of [
    ['ar', 'ar', 'rtl', 'صورتان'],
    ['ar-EG,ar;q=0.9,en;q=0.8', 'ar', 'rtl', 'صورتان'],
    ['en-GB,en;q=0.9,ar;q=0.8', 'en', 'ltr', '2 images'],
    ['de, fr;q=0.5', 'en', 'ltr', '2 images'],
    ['*', 'en', 'ltr', '2 images'],
    ['', 'en', 'ltr', '2 images'],
  ] as const) {
    const page = await open(app, path, { 'accept-language': accepted });
    t.match(page.body, `<html lang="${language}" dir="${direction}">`, `"${accepted}"`);
    t.equal(meta(page, 'og:description'), count, `"${accepted}"`);
  }
});

t.test("the page's address is neither sent as a referrer nor logged", async (t) => {
  const { app, path } = await shared();
  t.equal((await open(app, path)).headers['referrer-policy'], 'no-referrer');
  t.equal(withoutLinkKey(path), '/a/[key]');
});

t.test("the page's assets are served", async (t) => {
  const { app, path } = await shared();
  const { body } = await open(app, path);
  const named = [...body.matchAll(/<(?:link|script) [^>]*(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? '');
  const types = await Promise.all(named.map(async (path) => (await open(app, path)).headers['content-type']));
  t.same(types, ['image/svg+xml', 'font/woff2', 'text/css; charset=utf-8', 'application/javascript; charset=utf-8']);
  const arabic = (await open(app, path, { 'accept-language': 'ar' })).body;
  t.equal(arabic.match(/rel="preload" as="font"/g)?.length, 2, 'Arabic needs both fonts');
});

t.test('the page gives the overlay what visitors may know of an image', async (t) => {
  const { app, account, images, path } = await shared();
  const [image] = images;
  await app.inject({
    method: 'PATCH',
    url: `/api/images/${image?.id}`,
    headers: account.bearer,
    payload: { description: 'A "red" <roof>' },
  });
  const { body } = await open(app, path);
  t.match(body, '<p class="caption" dir="auto" aria-hidden="true">A &quot;red&quot; &lt;roof&gt;</p>');
  const [, written = ''] = /data-overlay="([^"]+)"/.exec(body) ?? [];
  const shown = JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
  t.match(shown, { url: pathOf(image?.url ?? ''), description: 'A "red" <roof>', filename: 'a.png', width: 40 });
  t.notMatch(body, image?.id ?? '', "no image's id");
  t.notOk('camera' in shown || 'location' in shown || 'uploaded_at' in shown, 'nothing that is the owner’s alone');
});

t.test("the page shows the operator's abuse contact in the reader’s language", async (t) => {
  const { app, path } = await shared({ app: configured });
  const foot =
    /<footer class="foot"><a href="mailto:abuse@example\.com">Report abuse: <bdi>abuse@example\.com<\/bdi><\/a>/;
  t.match((await open(app, path)).body, foot);
  t.match((await open(app, path, { 'accept-language': 'ar' })).body, 'الإبلاغ عن إساءة');
  const config = await app.inject({ url: '/api/auth/config' });
  t.match(config.json(), { password_reset: false, abuse_contact: 'mailto:abuse@example.com' });
  const other = await shared();
  t.notMatch((await open(other.app, other.path)).body, /<footer/, 'no footer without a contact');
});

t.test("a page is read on the connections for lists, within the album's share and not its owner's", async (t) => {
  const { app, album, path } = await shared({ app: await buildTestApp(t) });
  const { $client } = app.db;
  const { unsafe } = $client;
  const statements: string[] = [];
  $client.unsafe = ((text: string, ...more: []) => {
    statements.push(text);
    return unsafe(text, ...more);
  }) as typeof unsafe;
  const owners: string[] = [];
  const { runFairly } = app;
  app.runFairly = Object.assign(
    (owner: string, ...more: unknown[]) => {
      owners.push(owner);
      return Reflect.apply(runFairly, undefined, [owner, ...more]);
    },
    { see: runFairly.see },
  );
  t.equal((await open(app, path)).statusCode, 200);
  t.same(owners, [album.id]);
  t.equal(statements.length, 1, 'only the link is looked up on other connections');
  t.notMatch(statements[0], /album_images|from images/);
});

t.test('an address may open 240 pages a minute, and then reads in its language to wait', async (t) => {
  const { app, path } = await shared({ app: await buildTestApp(t, { rateLimit: 'on' }) });
  const from = { url: path, remoteAddress: '203.0.113.9', headers: { 'accept-language': 'ar' } };
  t.equal((await app.inject(from)).statusCode, 200);
  await app.db.execute(`update rate_limits set count = 240 where key = 'album-page:203.0.113.9'`);
  const refused = await app.inject(from);
  t.match([refused.statusCode, refused.headers], [429, { 'retry-after': /^\d+$/, 'content-type': /^text\/html/ }]);
  t.match(refused.body, 'محاولات كثيرة');
  t.equal((await app.inject({ ...from, remoteAddress: '203.0.113.10' })).statusCode, 200);
});
