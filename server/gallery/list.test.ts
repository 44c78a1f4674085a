import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise, picture, svg } from '../testing/pictures.ts';

const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir });
const ofTwo = await buildTestApp(t, { pageSize: 2 });

const list = (app: FastifyInstance, { bearer }: TestAccount, query = '') =>
  app.inject({ url: `/api/images/${query}`, headers: bearer });

const search = async (app: FastifyInstance, account: TestAccount, text: string) =>
  (await list(app, account, `?search=${encodeURIComponent(text)}`)).json();

const bytes = await picture({ width: 2, height: 2 });

async function store(app: FastifyInstance, account: TestAccount, names: string[]) {
  return storeFiles(
    app,
    account,
    names.map((name) => ({ name, bytes })),
  );
}

const namesOf = (page: { images: { filename: string }[] }) => page.images.map(({ filename }) => filename);

t.test('pages list the newest images first, with exact totals', async (t) => {
  const app = ofTwo;
  const account = await signIn(app);
  await store(app, account, ['1', '2', '3', '4', '5']);
  await store(app, account, ['6', '7', '8', '9']);
  const first = (await list(app, account)).json();
  t.match(first, { page: 1, total: 9, total_is_estimate: false, totalPages: 5 });
  t.same(namesOf(first), ['9', '8']);
  t.same(namesOf((await list(app, account, '?page=3')).json()), ['5', '4']);
  t.same(namesOf((await list(app, account, '?page=5')).json()), ['1']);
  t.match((await list(app, account, '?page=6')).json(), { images: [], page: 6, total: 9, totalPages: 5 });
  t.match((await list(app, account, `?page=${'9'.repeat(400)}`)).json(), { images: [], page: Number, total: 9 });
  for (const page of ['999999999999999', '9'.repeat(400)]) {
    const answer = await list(app, account, `?page=${page}&search=1`);
    t.match([answer.statusCode, answer.json()], [200, { images: [] }], page.slice(0, 20));
  }
});

t.test('a page begins earlier by the images before it that were deleted since they were listed', async (t) => {
  const app = ofTwo;
  const account = await signIn(app);
  await store(app, account, ['1', '2', '3', '4', '5', '6']);
  const [newest] = (await list(app, account)).json().images;
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${newest.id}`, headers: account.bearer });
  for (const [query, names, totalPages] of [
    ['?page=2&deleted=1', ['4', '3'], 3],
    ['?page=3&deleted=1', ['2', '1'], 3],
    ['?page=2&deleted=1&sort=name', ['2', '3'], 3],
    ['?page=2&deleted=1&search=size:>0b', ['4', '3'], 3],
    ['?page=1&deleted=1', ['5', '4'], 3],
    ['?page=2', ['3', '2'], 3],
    ['?page=4&deleted=9', ['5', '4'], 6],
    ['?page=2&deleted=1&search=nomatch', [], 0],
  ] as const) {
    const page = (await list(app, account, query)).json();
    t.match([namesOf(page), page.totalPages], [names, totalPages], query);
  }
  for (const deleted of ['-1', '1.5', 'x', '']) {
    t.equal((await list(app, account, `?deleted=${deleted}`)).statusCode, 400, deleted);
  }
});

t.test('a page has 24 images by default', async (t) => {
  const account = await signIn(app);
  await store(
    app,
    account,
    Array.from({ length: 25 }, (_, index) => `${index}.png`),
  );
  const page = (await list(app, account)).json();
  t.equal(page.images.length, 24);
  t.equal(page.totalPages, 2);
});

t.test('an empty gallery has no pages', async (t) => {
  t.same((await list(app, await signIn(app))).json(), {
    images: [],
    page: 1,
    total: 0,
    total_is_estimate: false,
    totalPages: 0,
  });
});

t.test('the list path works with and without its trailing slash', async (t) => {
  const { bearer } = await signIn(app);
  t.equal((await app.inject({ url: '/api/images?page=1&search=', headers: bearer })).statusCode, 200);
  t.equal((await app.inject({ url: '/api/images/?page=1&search=', headers: bearer })).statusCode, 200);
});

t.test('a page that is not a whole number from 1 answers 400', async (t) => {
  const account = await signIn(app);
  for (const page of ['0', '-1', '1.5', 'abc', '', '1e3', 'NaN', '0x10', '1%00', '1&page=2']) {
    const answer = await list(app, account, `?page=${page}`);
    t.equal(answer.statusCode, 400, page);
    t.match(answer.json(), { message: /whole number/ });
  }
});

t.test('a search finds any part of the name, in any case and script', async (t) => {
  const account = await signIn(app);
  await store(app, account, ['Summer-Beach.JPG', 'winter.png', 'عطلة الصيف.png', 'Straße.png', 'Cafe\u0301.png']);
  for (const [text, names] of [
    ['beach', ['Summer-Beach.JPG']],
    ['MER-BEA', ['Summer-Beach.JPG']],
    ['.png', ['Cafe\u0301.png', 'Straße.png', 'عطلة الصيف.png', 'winter.png']],
    ['الصيف', ['عطلة الصيف.png']],
    ['STRASSE', ['Straße.png']],
    ['caf\u00e9', ['Cafe\u0301.png']],
    ['r', ['Straße.png', 'winter.png', 'Summer-Beach.JPG']],
    ['nothing like it', []],
  ] as const) {
    t.same(namesOf(await search(app, account, text)), names, text);
  }
  t.equal((await search(app, account, 'nothing')).totalPages, 0);
});

t.test('a search is literal and contains no patterns', async (t) => {
  const account = await signIn(app);
  const names = ['100%.png', 'a_b.png', "quote'.png", 'half[1].png'];
  await store(app, account, [...names, 'axb.png', '1000.png']);
  for (const [text, name] of [
    ['0%', '100%.png'],
    ['_', 'a_b.png'],
    ["'", "quote'.png"],
    ['[1]', 'half[1].png'],
  ] as const) {
    t.same(namesOf(await search(app, account, text)), [name], text);
  }
  for (const text of ['%%', '\\', "' or 1=1 --", '\u0000', '%_%', 'x'.repeat(3000)]) {
    t.match(await search(app, account, text), { images: [], totalPages: 0 }, JSON.stringify(text.slice(0, 20)));
  }
  for (const halfPair of ['%ED%A0%BD', '%FF', '%C3']) {
    t.ok((await list(app, account, `?search=${halfPair}`)).statusCode < 500, halfPair);
  }
});

t.test('a gallery is sorted by date, name or size, and any other sort answers 400', async (t) => {
  const app = ofTwo;
  const account = await signIn(app);
  for (const [name, width] of [
    ['img_10.png', 60],
    ['IMG_9.png', 20],
    ['Beach.png', 40],
  ] as const) {
    await storeFiles(app, account, [{ name, bytes: await noise(width, width, 'png') }]);
  }
  for (const [query, names] of [
    ['sort=name', ['Beach.png', 'IMG_9.png', 'img_10.png']],
    ['sort=name&order=desc', ['img_10.png', 'IMG_9.png', 'Beach.png']],
    ['sort=size', ['img_10.png', 'Beach.png', 'IMG_9.png']],
    ['order=asc&sort=size', ['IMG_9.png', 'Beach.png', 'img_10.png']],
    ['sort=date', ['Beach.png', 'IMG_9.png', 'img_10.png']],
    ['order=asc', ['img_10.png', 'IMG_9.png', 'Beach.png']],
    ['sort=name&search=img', ['IMG_9.png', 'img_10.png']],
    ['sort=size&search=type:png', ['img_10.png', 'Beach.png', 'IMG_9.png']],
  ] as const) {
    const pages = [
      (await list(app, account, `?${query}`)).json(),
      (await list(app, account, `?${query}&page=2`)).json(),
    ];
    t.same(pages.flatMap(namesOf), names, query);
    t.match(
      pages[0],
      { total: names.length, totalPages: Math.ceil(names.length / 2), total_is_estimate: false },
      query,
    );
  }
  for (const query of ['sort=colour', 'sort=', 'order=up', 'order=ASC', 'sort=name&sort=size', 'sort=constructor']) {
    const answer = await list(app, account, `?${query}`);
    t.match(
      [answer.statusCode, answer.json()],
      [400, { code: 'INVALID_REQUEST', message: /The (sort|order) must be/ }],
      query,
    );
  }
});

t.test('operators narrow a search, and invalid ones are searched as text and reported', async (t) => {
  const account = await signIn(app);
  await store(app, account, ['type:zzz.png', 'kite.png']);
  await storeFiles(app, account, [{ name: 'drawing', bytes: svg }]);
  t.same(namesOf(await search(app, account, 'type:svg')), ['drawing']);
  t.same(namesOf(await search(app, account, 'orientation:landscape size:<1gb')), ['drawing']);
  t.same(namesOf(await search(app, account, 'type:svg kite')), []);
  t.same(namesOf(await search(app, account, 'before:2020')), []);
  t.equal((await search(app, account, 'after:2020')).total, 3);
  const odd = await search(app, account, 'type:zzz');
  t.same(namesOf(odd), ['type:zzz.png']);
  t.same(odd.search_notes, [{ operator: 'type', value: 'zzz' }]);
  t.notOk('search_notes' in (await search(app, account, 'type:png')));
});

t.test('a search within an album finds the images in the owner’s albums of that name', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const post = async ({ bearer }: TestAccount, url: string, payload: object) => {
    const answer = await app.inject({ method: 'POST', url, headers: bearer, payload });
    t.ok(answer.statusCode < 300, answer.body);
    return answer.json();
  };
  const [kite] = await store(app, account, ['kite.png', 'gull.png']);
  const { album } = await post(account, '/api/albums', { name: 'Summer at SEA' });
  await post(account, `/api/albums/${album.id}/images`, { ids: [kite?.id] });
  await store(app, other, ['theirs.png']);
  t.same(namesOf(await search(app, account, 'album:"summer at sea"')), ['kite.png']);
  t.same(namesOf(await search(app, account, 'album:"summer at sea" gull')), []);
  t.same(namesOf(await search(app, account, 'album:summer')), []);
  t.same(namesOf(await search(app, other, 'album:"summer at sea"')), []);
});

t.test('a search within several albums finds the images that are in all of them', async (t) => {
  const account = await signIn(app);
  const images = await store(app, account, ['kite.png', 'gull.png']);
  const ids = images.map(({ id }) => id);
  // Special characters of Postgres arrays.
  const odd = 'a"b\\c,{}';
  const contents: [string, string[]][] = [
    ['Sea', ids],
    ['Sea', ids],
    [odd, ids.slice(0, 1)],
  ];
  for (const [name, held] of contents) {
    const headers = account.bearer;
    const made = await app.inject({ method: 'POST', url: '/api/albums', headers, payload: { name } });
    const url = `/api/albums/${made.json().album.id}/images`;
    t.equal((await app.inject({ method: 'POST', url, headers, payload: { ids: held } })).statusCode, 200);
  }
  t.same(namesOf(await search(app, account, `album:sea album:${odd}`)), ['kite.png']);
  t.same(namesOf(await search(app, account, 'album:sea album:SEA')).sort(), ['gull.png', 'kite.png']);
  t.same(namesOf(await search(app, account, `album:sea album:${odd} album:none`)), []);
  const names = Array.from({ length: 11 }, (_, at) => `album:a${at}`).join(' ');
  const url = `/api/images/?search=${encodeURIComponent(names)}`;
  const refused = await app.inject({ url, headers: account.bearer });
  t.match([refused.statusCode, refused.json()], [400, { code: 'SEARCH_TOO_LARGE', message: /10 "album:" operators/ }]);
});

t.test('an account cannot list, search or delete the images of another', async (t) => {
  const [amira, other] = [await signIn(app), await signIn(app)];
  const [image] = await store(app, amira, ['private.png']);
  t.equal((await list(app, other)).json().total, 0);
  t.equal((await search(app, other, 'private')).total, 0);
  const remove = (headers: Record<string, string>) =>
    app.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers });
  t.equal((await remove(other.bearer)).statusCode, 404);
  t.equal((await remove({})).statusCode, 401);
  t.equal((await list(app, amira)).json().total, 1);
  t.equal((await app.inject({ url: '/api/images/' })).statusCode, 401);
});

t.test('deleting removes the row, the link and the bytes', async (t) => {
  const before = await storedFiles(dataDir);
  const account = await signIn(app);
  const [image] = await store(app, account, ['gone.png']);
  const remove = () =>
    app.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer });
  const answer = await remove();
  t.equal(answer.statusCode, 204);
  t.equal(answer.body, '');
  for (const link of [image?.url, image?.thumbnail_url]) {
    t.equal((await app.inject(new URL(link ?? '').pathname)).statusCode, 404, 'a deleted link answers 404 at once');
  }
  t.same(await storedFiles(dataDir), before);
  t.equal((await remove()).statusCode, 404, 'deleting again finds nothing');
});

t.test('one of fifty concurrent deletions of an image succeeds', async (t) => {
  const account = await signIn(app);
  const [image] = await store(app, account, ['once.png']);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      app.inject({ method: 'DELETE', url: `/api/images/delete/${image?.id}`, headers: account.bearer }),
    ),
  );
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [204, ...Array(49).fill(404)]);
});

t.test('a deletion with a malformed id answers 404', async (t) => {
  const { bearer } = await signIn(app);
  for (const id of ['1', 'abc', '%00', '..%2f..', "'", '00000000-0000-0000-0000-000000000000', 'x'.repeat(90)]) {
    const answer = await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: bearer });
    t.equal(answer.statusCode, 404, id);
  }
});
