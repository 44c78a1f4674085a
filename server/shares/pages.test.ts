/** The page of a share and its password, as visitors meet them. */
import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { withoutLinkKey, withoutLinkKeys } from '../images/links/link-paths.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { picture } from '../testing/pictures.ts';
import { accountWith, addressesOn, password, sendPassword, visitorOf } from '../testing/share.ts';

const app = await buildTestApp(t, { pageSize: 2 });
const limited = await buildTestApp(t, { rateLimit: 'on' });

const arabic = { 'accept-language': 'ar' };

/** Sets the count of an address, in a window that outlasts the test. */
const spend = (limit: string, address: string, count: number) =>
  limited.db.execute(
    sql`update rate_limits set count = ${count}, resets_at = now() + interval '1 hour' where key = ${`${limit}:${address}`}`,
  );

t.test('a page needs no login and no script, and asks search engines not to index it', async (t) => {
  const { share } = await accountWith(app);
  const { path, url } = await share({ name: 'Sea & <b>sand</b>' });
  t.match(path, /^\/s\/[\w-]{22}$/);
  const page = await app.inject(path);
  t.equal(page.statusCode, 200);
  t.match(page.headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-security-policy': /^default-src 'none';/,
  });
  t.match(page.body, '<meta name="robots" content="noindex">');
  t.match(page.body, '<h1><bdi>Sea &amp; &lt;b&gt;sand&lt;/b&gt;</bdi></h1>');
  t.match(page.body, `<a href="${path}/zip" download>Download all as ZIP</a>`);
  t.match(page.body, `<meta property="og:url" content="${url}">`);
  t.match(page.body, new RegExp(`<meta property="og:image" content="${url}/i/`));
  t.match((await app.inject({ url: path, headers: arabic })).body, /<html lang="ar" dir="rtl">[\s\S]*تنزيل الكل/);
});

t.test('a share has as many pages as it needs, in the order of the selection', async (t) => {
  const files = await Promise.all(
    [21, 22, 23].map(async (width) => ({ name: `${width}.png`, bytes: await picture({ width }) })),
  );
  const { share, ids } = await accountWith(app, files);
  const { path } = await share({ images: ids.toReversed() });
  const alts = async (query: string) =>
    [...(await app.inject(path + query)).body.matchAll(/alt="(\d+\.png)"/g)].map(([, alt]) => alt);
  t.same([await alts(''), await alts('?page=2')], [['23.png', '22.png'], ['21.png']]);
  for (const query of ['?page=3', '?page=0', '?page=x']) t.equal((await app.inject(path + query)).statusCode, 404);
});

t.test('before the password, the page, its preview and oEmbed show the name alone', async (t) => {
  const { share, images } = await accountWith(app);
  const { path } = await share({ password });
  const question = await app.inject(path);
  t.equal(question.statusCode, 200);
  t.match(question.body, /<form class="question" method="post">/);
  t.match(question.headers['content-security-policy'], /form-action 'self'/);
  t.notMatch(question.body, /og:image|<img src="(?!\/mark)|secret-name|1 image|data-overlay|<script/);
  t.same((await app.inject(`${path}/oembed`)).json(), {
    ...{ version: '1.0', type: 'link', title: 'Summer', provider_name: 'Encryption' },
    ...{ provider_url: 'http://localhost:80', cache_age: 60 },
  });
  t.match((await app.inject({ url: path, headers: arabic })).body, 'كلمة المرور');
  const wrong = await sendPassword(app, path, 'wrong');
  t.equal(wrong.statusCode, 403);
  t.match(wrong.body, /role="alert">This password is wrong/);
  t.notMatch(wrong.headers, { 'set-cookie': /./ });
  t.match((await app.inject({ url: path, headers: await visitorOf(app, path) })).body, `alt="${images[0]?.filename}"`);
});

t.test('the cookie is for one share and its path, out of reach of scripts, and ends with the share', async (t) => {
  const server = await buildTestApp(t, { publicUrl: 'https://pictures.example' });
  const { share } = await accountWith(server);
  const { path } = await share({ password, expires_in: '1h' });
  const answer = await sendPassword(server, path);
  t.match([answer.statusCode, answer.headers.location], [303, path]);
  const [cookie] = answer.cookies;
  t.match(cookie, { path, httpOnly: true, secure: true, sameSite: 'Lax', name: /^__Secure-share-/ });
  t.ok((cookie?.maxAge ?? Infinity) <= 3600);
});

t.test('ten wrong passwords a minute are checked for a share, from anywhere; then 429', async (t) => {
  const { share } = await accountWith(limited);
  const [{ path }, other] = [await share({ password }), await share({ password })];
  const visitor = await visitorOf(limited, path);
  const wrong = await Promise.all(
    Array.from({ length: 12 }, (_, index) => sendPassword(limited, path, `wrong ${index}`)),
  );
  t.same(wrong.map(({ statusCode }) => statusCode).sort(), [...Array<number>(10).fill(403), 429, 429]);
  const right = await sendPassword(limited, path);
  t.equal(right.statusCode, 429, 'nor is the right one');
  t.ok(Number(right.headers['retry-after']) > 0);
  const page = await sendPassword(limited, path, 'wrong', { accept: 'text/html' });
  t.match([page.statusCode, page.body], [429, /Too many attempts/]);
  t.equal((await sendPassword(limited, other.path)).statusCode, 303, 'other shares are open');
  t.match((await limited.inject({ url: path, headers: visitor })).body, 'secret-name', 'and so are earlier cookies');
});

t.test('callers who keep a share at its limit do not lock out the right password from another address', async (t) => {
  const { share } = await accountWith(limited);
  const { path } = await share({ password });
  const send = async (given: string, remoteAddress: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams({ password: given }).toString();
    return (await limited.inject({ method: 'POST', url: path, headers, payload, remoteAddress })).statusCode;
  };
  const flood = (address: string) => Promise.all(Array.from({ length: 20 }, () => send('wrong', address)));
  const callers = Array.from({ length: 8 }, (_, at) => `198.51.100.${at}`);
  const statuses = (await Promise.all(callers.map(flood))).flat();
  t.ok(statuses.filter((status) => status === 403).length <= 10 + 3 * callers.length);
  t.equal(await send(password, '198.51.100.0'), 429);
  t.equal(await send(password, '203.0.113.20'), 303);
  t.equal(await send('a typing error', '203.0.113.21'), 403);
  t.equal(await send(password, '203.0.113.21'), 303);
  t.equal(await send(password, '203.0.113.21'), 303, 'the right password does not count');
});

t.test('a page is read within the share of the link, not of its owner', async (t) => {
  const { share } = await accountWith(app);
  const { path, id } = await share();
  const { runFairly } = app;
  const keys: string[] = [];
  t.teardown(() => Object.assign(app, { runFairly }));
  app.runFairly = Object.assign(
    (key: string, ...more: unknown[]) => {
      keys.push(key);
      return Reflect.apply(runFairly, undefined, [key, ...more]);
    },
    { see: runFairly.see },
  );
  t.equal((await app.inject(path)).statusCode, 200);
  t.equal((await app.inject(`${path}/zip`)).statusCode, 200);
  t.same(keys, [id, id]);
});

t.test('ten wrong passwords a minute are checked for a share by all processes together', async (t) => {
  const config = await testConfig(t, { rateLimit: 'on' });
  const servers = [await buildTestApp(t, config), await buildTestApp(t, { ...config, jwtSecret: undefined })] as const;
  const { share } = await accountWith(servers[0]);
  const { path } = await share({ password });
  const wrong = await Promise.all(
    Array.from({ length: 14 }, (_, index) => sendPassword(servers[index % 2 === 0 ? 0 : 1], path, `wrong ${index}`)),
  );
  const statuses = wrong.map(({ statusCode }) => statusCode).sort();
  t.same(statuses, [...Array<number>(10).fill(403), ...Array<number>(4).fill(429)]);
  for (const server of servers) t.equal((await sendPassword(server, path)).statusCode, 429);
});

t.test('an address gives at most 60 passwords a minute, for all shares together', async (t) => {
  const address = '203.0.113.9';
  const send = async (name: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = { method: 'POST', url: `/s/${name}`, headers, payload: 'password=wrong' } as const;
    return (await limited.inject({ ...request, remoteAddress: address })).statusCode;
  };
  t.equal(await send('summer-1'), 404);
  await spend('share-password', address, 59);
  t.same([await send('summer-2'), await send('summer-3')], [404, 429]);
});

t.test('an address gets at most 20 archives a minute', async (t) => {
  const from = { remoteAddress: '203.0.113.10' };
  const { share } = await accountWith(limited);
  const { path } = await share();
  const archive = async () => (await limited.inject({ url: `${path}/zip`, ...from })).statusCode;
  t.equal(await archive(), 200);
  await spend('share-archive', from.remoteAddress, 19);
  t.same([await archive(), await archive()], [200, 429]);
  t.equal((await limited.inject({ url: path, ...from })).statusCode, 200, 'the page is still open');
});

t.test('a short name that changes hands while a password is checked gives no cookie', async (t) => {
  const { db } = limited;
  const { share, call } = await accountWith(limited);
  const one = await share({ short_name: 'changes-hands', password });
  const two = await share({ password: 'a different one' });
  const isWaiting = async () => {
    const [row] = await db.execute<{ waiting: number }>(sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%rate_limits%'`);
    return row?.waiting === 1;
  };
  let answer: Promise<LightMyRequestResponse> | undefined;
  // The password is counted before it is checked, and after its share was read.
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into rate_limits (key, count, resets_at) values (${`share:${one.id}`}, 0, now())`);
    answer = Promise.resolve(sendPassword(limited, one.path));
    await eventually('the password is counted', isWaiting);
    await call('PATCH', `/${one.id}`, { short_name: null });
    t.equal((await call('PATCH', `/${two.id}`, { short_name: 'changes-hands' })).statusCode, 200);
  });
  const found = await answer;
  t.same([found?.statusCode, found?.cookies], [403, []]);
});

t.test('an address that tries many short names gets 429, on the page and below it', async (t) => {
  for (const [index, below] of ['', '/oembed', '/i/x.jpg', '/i/x/thumbnail.webp'].entries()) {
    const remoteAddress = `203.0.113.${20 + index}`;
    const statusOf = async (url: string) => (await limited.inject({ url, remoteAddress })).statusCode;
    t.equal(await statusOf(`/s/summer-1${below}`), 404);
    await spend('share', remoteAddress, 239);
    t.same([await statusOf(`/s/summer-2${below}`), await statusOf(`/s/summer-3${below}`)], [404, 429], below);
    t.equal(await statusOf('/s/summer-4/i/x.jpg'), 429, 'pictures are limited too');
    t.equal(await statusOf(`/s/${'A'.repeat(22)}/i/x.jpg`), 404, 'nobody guesses keys');
  }
});

t.test('a wrong code below a short name answers as an unused name does, and counts as a guess', async (t) => {
  const from = { remoteAddress: '203.0.113.8' };
  const { share, call } = await accountWith(limited);
  const names = { open: 'guess-open', ended: 'guess-ended', locked: 'guess-locked' };
  const { path } = await share({ short_name: names.open, guessable: true });
  const { id } = await share({ short_name: names.ended, guessable: true });
  await share({ short_name: names.locked, password });
  await call('DELETE', `/${id}`);
  const [picture = ''] = addressesOn(await limited.inject(path));
  const answers = async (below: string) =>
    Promise.all(
      [...Object.values(names), 'guess-unused'].map(async (name) => {
        const { statusCode, body } = await limited.inject({ url: `/s/${name}/${below}`, ...from });
        return [statusCode, body];
      }),
    );
  for (const below of ['i/x.jpg', `i/${'A'.repeat(22)}.png`, 'i/x/screen.webp']) {
    const [open, ended, locked, unused] = await answers(below);
    t.same([open, locked], [unused, unused], below);
    t.equal(ended?.[0], 410);
  }
  await spend('share', from.remoteAddress, 240);
  t.same(
    (await answers('i/x.jpg')).map(([status]) => status),
    [429, 429, 429, 429],
  );
  t.equal(
    (await limited.inject({ url: picture, ...from })).statusCode,
    200,
    'pictures of known shares are not limited',
  );
});

t.test('a password takes as much work for an unknown link as for a known one', async (t) => {
  const { share } = await accountWith(app);
  const [known, open] = [await share({ password }), await share()];
  // Of the processor: other programs do not change it.
  const time = async (path: string) => {
    const start = process.cpuUsage();
    await sendPassword(app, path, 'wrong');
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const median = async (path: string) => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) times.push(await time(path));
    return times.sort((one, other) => one - other)[2] ?? 0;
  };
  const expected = await median(known.path);
  for (const path of [`/s/${'A'.repeat(22)}`, '/s/no-such-name', open.path]) {
    t.ok((await median(path)) > expected / 2, path);
  }
});

t.test('a short name opens the share, in any case, and its pictures are below it', async (t) => {
  const { share, call } = await accountWith(app);
  const { path, id, url } = await share({ short_name: 'Summer-2026', guessable: true });
  t.match(url, /\/s\/summer-2026$/);
  const page = await app.inject(path);
  const keys = [...page.body.matchAll(/\/s\/([\w-]+)/g)].map(([, key]) => key);
  t.same([...new Set(keys)], ['summer-2026'], 'the key is not shown');
  t.match((await app.inject('/s/Summer-2026')).headers, { location: '/s/summer-2026' });
  const [row] = await app.db.execute<{ key: string }>(sql`select key from shares where id = ${id}`);
  t.equal((await app.inject(`/s/${row?.key}`)).statusCode, 200, 'the key works too');
  await call('PATCH', `/${id}`, { short_name: null });
  t.equal((await app.inject(path)).statusCode, 404);
});

t.test('oEmbed describes a picture of the share, no larger than requested', async (t) => {
  const files = [{ name: 'large.png', bytes: await picture({ width: 3200, height: 1600 }) }];
  const { share } = await accountWith(app, files);
  const { path, url } = await share();
  const { body } = await app.inject(path);
  const [, address = ''] = /type="application\/json\+oembed" href="([^"]+)"/.exec(body) ?? [];
  const { pathname, search } = new URL(address.replaceAll('&amp;', '&'));
  const found = (await app.inject(pathname + search)).json();
  t.match(found, { version: '1.0', type: 'photo', title: 'Summer', width: 1600, height: 800 });
  t.ok(found.url.startsWith(`${url}/i/`));
  const bytes = await app.inject(new URL(found.url).pathname);
  t.match(bytes.headers, { 'content-type': 'image/webp', 'cross-origin-resource-policy': 'cross-origin' });
  const small = (await app.inject(`${pathname}${search}&maxwidth=1000`)).json();
  t.match(small, { type: 'photo', width: 480, height: 240, url: /thumbnail\.webp$/ });
  const none = (await app.inject(`${pathname}${search}&maxheight=100`)).json();
  t.match([none.type, none.url], ['link', undefined], 'no picture is that small');
  const xml = await app.inject(`${pathname}?format=xml`);
  t.match([xml.statusCode, xml.json().code], [501, 'FORMAT_UNAVAILABLE'], 'oEmbed 1.0, 2.3.5');
});

t.test('views are counted for opened pages', async (t) => {
  const { share, call } = await accountWith(app);
  const [open, closed] = [await share(), await share({ password })];
  for (let view = 0; view < 3; view += 1) await app.inject(open.path);
  await app.inject({ method: 'HEAD', url: open.path });
  await app.inject(closed.path);
  const { shares } = (await call('GET')).json();
  t.same(
    shares.map(({ id, views }: { id: string; views: number }) => [id, views]),
    [
      [closed.id, 0],
      [open.id, 3],
    ],
  );
});

t.test('the short name of a share stays out of the request log', async (t) => {
  for (const path of ['/s/summer-2026', '/S/Summer-2026/zip', '//%73//summer%2D2026/i/x.jpg', '%2Fs%2Fsummer-2026']) {
    const logged = withoutLinkKey(path);
    t.notMatch(logged, /summer/i, path);
    t.match(logged, '[key]');
  }
  t.equal(withoutLinkKey('/api/shares'), '/api/shares');
});

t.test('the key of a share stays out of the log', async (t) => {
  const { share } = await accountWith(app);
  const { path } = await share();
  t.equal(withoutLinkKey(`${path}/oembed`), '/s/[key]/oembed');
  const key = path.slice(3);
  for (const line of [path, `GET ${path}x`, `%2Fs%2F${key.slice(0, 18)}`, `/%73/${key}`]) {
    t.notMatch(withoutLinkKeys(line), key.slice(0, 18), line);
  }
});
