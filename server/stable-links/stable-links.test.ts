import { sql } from 'drizzle-orm';
import t from 'tap';
import { setDisabled } from '../auth/queries.ts';
import type { StableLink, StoredImage } from '../contract.ts';
import { SCOPES } from '../http/scopes.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';

const app = await buildTestApp(t);

type Bearer = Pick<TestAccount, 'bearer'>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const call = ({ bearer }: Bearer, method: Method, path = '', payload?: object) =>
  app.inject({ method, url: `/api/stable-links${path}`, headers: bearer, ...(payload ? { payload } : {}) });

const open = (name: string, headers = {}) => app.inject({ url: `/l/${name}`, headers });
const statusOf = async (name: string) => (await open(name)).statusCode;
const pathOf = ({ url }: Pick<StoredImage, 'url'>) => new URL(url).pathname;

async function store(account: Bearer): Promise<StoredImage> {
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await noise(40, 30, 'png') }]);
  if (!image) throw new Error('nothing was stored');
  return image;
}

let made = 0;
/** An account with a picture and a stable link to it. */
async function stage() {
  const account = await signIn(app);
  const image = await store(account);
  made += 1;
  const name = `logo-${made}`;
  const answer = await call(account, 'POST', '', { name, image: image.id });
  const link: StableLink = answer.json().stable_link;
  return { account, image, name, link };
}

t.test('a stable link redirects to the image, and no cache keeps the redirect', async (t) => {
  const { image, name, link } = await stage();
  t.equal(new URL(link.url).pathname, `/l/${name}`);
  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await app.inject({ method, url: `/l/${name.toUpperCase()}` });
    t.match(answer, { statusCode: 302, body: '' });
    t.match(answer.headers, {
      location: pathOf(image),
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    });
  }
  t.equal((await app.inject(pathOf(image))).statusCode, 200);
});

t.test('a changed stable link leads to another image, and a rotated image keeps its stable link', async (t) => {
  const { account, name, link } = await stage();
  const next = await store(account);
  const answer = await call(account, 'PATCH', `/${link.id}`, { image: next.id, name: `${name}-new` });
  t.match(answer.json(), { stable_link: { id: link.id, name: `${name}-new`, image: { id: next.id } } });
  t.equal(await statusOf(name), 404, 'the former name');
  t.equal((await open(`${name}-new`)).headers.location, pathOf(next));
  const payload = { ids: [next.id] };
  const rotated = await app.inject({ method: 'POST', url: '/api/images/rotate', headers: account.bearer, payload });
  t.equal((await open(`${name}-new`)).headers.location, pathOf(rotated.json().images[0]));
});

t.test('a stable link answers as the link of its image does', async (t) => {
  const { account, image, name } = await stage();
  const set = (columns: string) => app.db.execute(`update images set ${columns} where id = '${image.id}'`);
  for (const [columns, status] of [
    ['hidden_at = now()', 404],
    ['hidden_legal = true', 451],
    ["hidden_at = null, hidden_legal = false, expires_at = now() - interval '1 second'", 410],
    ['expires_at = null', 302],
  ] as const) {
    await set(columns);
    t.equal(await statusOf(name), status, columns);
  }
  await app.db.execute(sql`update users set links_silenced_at = now() where id = ${account.id}`);
  t.equal(await statusOf(name), 404, 'silenced links');
  await app.db.execute(sql`update users set links_silenced_at = null where id = ${account.id}`);
  await setDisabled(app.db, account.id, true);
  t.equal(await statusOf(name), 404, 'a disabled account');
});

t.test('a browser gets a page where there is no image, and a program JSON', async (t) => {
  const page = await open('nothing-here', { accept: 'text/html,*/*;q=0.8' });
  t.match(page.headers, { 'content-type': /text\/html/, 'cache-control': 'no-store' });
  t.match(page.body, /<h1>This image isn.*t available<\/h1>/);
  t.match((await open('nothing-here')).json(), { statusCode: 404, code: 'NOT_FOUND' });
  for (const name of ['x', '%00', 'a%2Fb', 'a'.repeat(90)]) t.equal(await statusOf(name), 404, name);
});

t.test('the name stays its owner’s after the image is deleted', async (t) => {
  const { account, image, name, link } = await stage();
  const url = `/api/images/delete/${image.id}`;
  t.equal((await app.inject({ method: 'DELETE', url, headers: account.bearer })).statusCode, 204);
  t.equal(await statusOf(name), 404);
  t.match((await call(account, 'GET')).json(), { stable_links: [{ id: link.id, name, image: null }] });
  const other = await signIn(app);
  const theirs = await store(other);
  t.match((await call(other, 'POST', '', { name: name.toUpperCase(), image: theirs.id })).json(), {
    statusCode: 409,
    code: 'NAME_TAKEN',
  });
});

t.test('a stable link answers 410 for 90 days after its expired image is deleted', async (t) => {
  const { account, image, name, link } = await stage();
  await app.db.execute(sql`update images set expires_at = now() - interval '1 second' where id = ${image.id}`);
  await app.sweeps.sweepShared();
  t.match((await call(account, 'GET')).json(), { stable_links: [{ image: null }] });
  t.equal(await statusOf(name), 410);
  await app.db.execute(sql`update stable_links set ended_at = now() - interval '91 days' where id = ${link.id}`);
  t.equal(await statusOf(name), 404);
  const next = await store(account);
  t.equal((await call(account, 'PATCH', `/${link.id}`, { image: next.id })).statusCode, 200);
  t.equal(await statusOf(name), 302);
});

t.test('names that are malformed, reserved or taken are refused', async (t) => {
  const { account, image, name, link } = await stage();
  const second = await stage();
  for (const [sent, status, code] of [
    ['ab', 400, 'INVALID_NAME'],
    ['a'.repeat(65), 400, 'INVALID_NAME'],
    ['-abc', 400, 'INVALID_NAME'],
    ['abc-', 400, 'INVALID_NAME'],
    ['a.png', 400, 'INVALID_NAME'],
    ['شعار', 400, 'INVALID_NAME'],
    ['\u212Aelvin', 400, 'INVALID_NAME'],
    ['___', 400, 'INVALID_NAME'],
    ['Admin', 400, 'NAME_RESERVED'],
    [second.name, 409, 'NAME_TAKEN'],
  ] as const) {
    const refusal = { statusCode: status, code };
    t.match((await call(account, 'POST', '', { name: sent, image: image.id })).json(), refusal, sent);
    t.match((await call(account, 'PATCH', `/${link.id}`, { name: sent })).json(), refusal, sent);
  }
  const renamed = await call(account, 'PATCH', `/${link.id}`, { name: name.toUpperCase() });
  t.match(renamed.json(), { stable_link: { name } }, 'its own name');
});

t.test('concurrent calls for one name give it to one account', async (t) => {
  const accounts = await Promise.all([signIn(app), signIn(app)]);
  const images = await Promise.all(accounts.map(store));
  const answers = await Promise.all(
    accounts.map((account, index) => call(account, 'POST', '', { name: 'contested', image: images[index]?.id })),
  );
  t.same(answers.map(({ statusCode }) => statusCode).toSorted(), [201, 409]);
});

t.test('an account has at most 500 stable links', async (t) => {
  const { account, image } = await stage();
  await app.db.execute(sql`insert into stable_links (id, owner_id, name, image_id)
    select gen_random_uuid(), ${account.id}::uuid, 'many-' || number, ${image.id}::uuid from generate_series(2, 500) number`);
  t.match((await call(account, 'POST', '', { name: 'one-too-many', image: image.id })).json(), {
    statusCode: 409,
    code: 'TOO_MANY_STABLE_LINKS',
  });
});

t.test('other accounts and their images are out of reach', async (t) => {
  const { account, name, link } = await stage();
  const other = await stage();
  for (const [method, payload] of [['PATCH', { name: 'stolen' }], ['DELETE']] as const) {
    for (const id of [other.link.id, 'none']) {
      t.equal((await call(account, method, `/${id}`, payload)).statusCode, 404, `${method} ${id}`);
    }
  }
  const theirs = { image: other.image.id };
  t.equal((await call(account, 'POST', '', { name: 'theirs', ...theirs })).statusCode, 404);
  t.equal((await call(account, 'PATCH', `/${link.id}`, theirs)).statusCode, 404);
  t.equal((await open(other.name)).headers.location, pathOf(other.image));
  t.equal((await call(account, 'DELETE', `/${link.id}`)).statusCode, 204);
  t.equal(await statusOf(name), 404);
});

t.test('a token that is restricted to an album reaches no stable link', async (t) => {
  const { account, image, link } = await stage();
  const payload = { name: 'Trip' };
  const { album } = (await app.inject({ method: 'POST', url: '/api/albums', headers: account.bearer, payload })).json();
  const token = await createApiToken(app, account, [...SCOPES], { album: album.id });
  for (const [method, path, body] of [
    ['GET', ''],
    ['POST', '', { name: 'by-token', image: image.id }],
    ['PATCH', `/${link.id}`, { name: 'by-token' }],
    ['DELETE', `/${link.id}`],
  ] as const) {
    t.match((await call(token, method, path, body)).json(), { statusCode: 403, code: 'SCOPE_NEEDED' }, method);
  }
});

t.test('an address that guesses many names is refused, for names of shares too, and others are not', async (t) => {
  const limited = await buildTestApp(t, { rateLimit: 'on' });
  const account = await signIn(limited);
  const [image] = await storeFiles(limited, account, [{ name: 'logo.png', bytes: await noise(40, 30, 'png') }]);
  const payload = { name: 'company-logo', image: image?.id };
  await limited.inject({ method: 'POST', url: '/api/stable-links', headers: account.bearer, payload });
  const get = async (url: string, remoteAddress: string) => (await limited.inject({ url, remoteAddress })).statusCode;
  const guesser = '192.0.2.21';
  t.equal(await get('/l/a-guess', guesser), 404);
  await limited.db.execute(
    `update rate_limits set count = 239, resets_at = now() + interval '1 hour' where key = 'share:${guesser}'`,
  );
  t.equal(await get('/l/company-logo', guesser), 302, 'names that exist do not count');
  t.equal(await get('/s/a-guess', guesser), 404);
  t.equal(await get('/l/another-guess', guesser), 429);
  t.equal(await get('/l/company-logo', guesser), 429, 'a name that exists is not told apart');
  t.equal(await get('/s/a-guess', guesser), 429);
  t.equal(await get('/l/company-logo', '192.0.2.22'), 302);
});
