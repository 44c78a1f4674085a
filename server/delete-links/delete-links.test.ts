import { sql } from 'drizzle-orm';
import t from 'tap';
import { hideImages } from '../admin/commands/images/queries.ts';
import { setDisabled } from '../auth/queries.ts';
import { withoutLinkKey, withoutLinkKeys } from '../images/links/link-paths.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';

const app = await buildTestApp(t);
const bytes = await picture();

async function stage({ name = 'a.png', server = app } = {}) {
  const account = await signIn(server);
  const [image] = await storeFiles(server, account, [{ name, bytes }], { query: '?delete_link=1' });
  if (!image) throw new Error('nothing was stored');
  const call = (method: 'GET' | 'HEAD' | 'POST' | 'DELETE', headers = {}, payload?: string) =>
    server.inject({ method, url: new URL(image.delete_url ?? '').pathname, headers, ...(payload && { payload }) });
  const isThere = async () => (await server.inject(new URL(image.url).pathname)).statusCode === 200;
  return { account, image, call, isThere };
}

t.test('opening a delete link shows the picture and a form, and changes nothing', async (t) => {
  const name = '"><script>alert(1)</script>.png';
  const { image, call, isThere } = await stage({ name });
  t.equal((await call('HEAD')).statusCode, 200);
  for (let round = 0; round < 2; round += 1) {
    const page = await call('GET');
    t.equal(page.statusCode, 200);
    t.match(page.body, `src="${new URL(image.thumbnail_url).pathname}"`);
    t.match(page.body, '<form method="post"><button');
    t.notMatch(page.body, '<script');
    t.match(page.body, '<meta name="robots" content="noindex">');
    t.match(page.headers, {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': /^default-src 'none';.*form-action 'self';frame-ancestors 'none'$/,
    });
  }
  t.ok(await isThere());
});

t.test('the page is in Arabic for a reader who prefers it', async (t) => {
  const { call } = await stage();
  const headers = { 'accept-language': 'ar-EG, en;q=0.5' };
  t.match((await call('GET', headers)).body, /<html lang="ar" dir="rtl">[\s\S]*حذف الصورة<\/button>/);
  t.match((await call('POST', headers)).body, 'حُذفت الصورة');
  t.match((await call('POST', headers)).body, 'رابط الحذف هذا لا يعمل');
});

for (const [method, status, headers, payload] of [
  ['POST', 200, { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' }, 'a=b'],
  ['DELETE', 204, {}, undefined],
] as const) {
  t.test(`${method} deletes the image, and then its delete link answers 404`, async (t) => {
    const { image, account, call } = await stage();
    const answers = await Promise.all([call(method, headers, payload), call(method, headers, payload)]);
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [status, 404].sort());
    for (const next of ['GET', 'POST', 'DELETE'] as const) t.equal((await call(next)).statusCode, 404, next);
    t.equal((await app.inject(new URL(image.url).pathname)).statusCode, 404);
    const usage = await app.inject({ url: '/api/images/usage', headers: account.bearer });
    t.match(usage.json(), { images: 0, bytes: 0 });
  });
}

t.test('a hidden picture is not shown and can be deleted; an expired one is gone', async (t) => {
  const [hidden, expired] = [await stage(), await stage()];
  await hideImages(app.db, [hidden.image.id], { reason: 'a report', legal: false });
  t.notMatch((await hidden.call('GET')).body, '<img class="picture"');
  t.equal((await hidden.call('DELETE')).statusCode, 204);
  await app.db.execute(sql`update images set expires_at = now() where id = ${expired.image.id}`);
  t.equal((await expired.call('GET')).statusCode, 404);
  t.equal((await expired.call('DELETE')).statusCode, 404);
});

t.test('the delete links of a disabled account answer 404 until it is enabled', async (t) => {
  const { account, call, isThere } = await stage();
  for (const withLinks of [false, true]) {
    await setDisabled(app.db, account.id, true, withLinks);
    for (const method of ['GET', 'POST', 'DELETE'] as const) t.equal((await call(method)).statusCode, 404, method);
  }
  await setDisabled(app.db, account.id, false);
  t.ok(await isThere());
  t.match((await call('GET')).body, '<img class="picture"');
  t.equal((await call('DELETE')).statusCode, 204);
});

t.test('an address that opens too many delete links gets 429', async (t) => {
  const server = await buildTestApp(t, { rateLimit: 'on' });
  const { call } = await stage({ server });
  const statuses = new Set<number>();
  for (let calls = 0; calls < 121; calls += 1) statuses.add((await call('GET')).statusCode);
  t.same([...statuses], [200, 429]);
});

t.test('the key of a delete link stays out of the log', async (t) => {
  const { image } = await stage();
  const path = new URL(image.delete_url ?? '').pathname;
  const key = path.slice(3);
  t.equal(withoutLinkKey(path), '/d/[key]');
  for (const line of [path, `GET ${path}x`, `%2Fd%2F${key.slice(0, 18)}`, `/%64/${key}`]) {
    t.notMatch(withoutLinkKeys(line), key.slice(0, 18), line);
  }
});
