import type { FastifyInstance } from 'fastify';
import t from 'tap';
import type { Album, AlbumPage } from '../contract.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { MAX_ALBUMS } from './queries.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const caller =
  (app: FastifyInstance, { bearer }: TestAccount) =>
  (method: Method, path: string, payload?: object) =>
    app.inject({ method, url: `/api/albums/${path}`, headers: bearer, ...(payload ? { payload } : {}) });

type Call = ReturnType<typeof caller>;

const make = async (call: Call, name: string): Promise<Album> => (await call('POST', '', { name })).json().album;
const names = async (call: Call) => (await call('GET', '')).json().albums.map(({ name }: Album) => name);

const bytes = await picture({ width: 2, height: 2 });

async function store(app: FastifyInstance, account: TestAccount, count: number): Promise<string[]> {
  const files = Array.from({ length: count }, (_, index) => ({ name: `${index}.png`, bytes }));
  return (await storeFiles(app, account, files)).map(({ id }) => id);
}

const idsIn = async (call: Call, { id }: Album, query = ''): Promise<string[]> =>
  (await call('GET', `${id}${query}`)).json<AlbumPage>().images.map((image) => image.id);

const app = await buildTestApp(t);

async function begin(images = 0, server = app) {
  const account = await signIn(server);
  const ids = images === 0 ? [] : await store(server, account, images);
  return { account, call: caller(server, account), ids };
}

/** Renumbers positions to 1, 2, 3 and so on, which leaves no room between them. */
const crowded = (table: string, condition: string) =>
  `update ${table} set position = crowded.place
    from (select ctid as row, row_number() over (order by position) as place from ${table} where ${condition}) crowded
    where ${table}.ctid = crowded.row`;

t.test('a new album is empty, comes first and has its trimmed name', async (t) => {
  const { call } = await begin();
  await make(call, 'First');
  const made = await call('POST', '', { name: '  Sea & <b>sand</b>\n ' });
  t.equal(made.statusCode, 201);
  t.match(made.json(), {
    album: { name: 'Sea & <b>sand</b>', count: 0, covers: [], cover: null, position: 1, link: null },
  });
  t.same(await names(call), ['Sea & <b>sand</b>', 'First']);
});

t.test('a name has one to a hundred characters, of any script, and may repeat', async (t) => {
  const { call } = await begin();
  for (const name of ['', '   ', '\u0000\n', 'x'.repeat(101), 7, null]) {
    const answer = await call('POST', '', { name } as object);
    t.match([answer.statusCode, answer.json()], [400, { code: 'INVALID_REQUEST' }], JSON.stringify(name));
  }
  for (const name of ['🏔'.repeat(100), 'رحلة', 'رحلة', 'a\u0000b']) {
    t.equal((await call('POST', '', { name })).statusCode, 201, name);
  }
  t.same((await names(call)).toSorted(), ['a b', 'رحلة', 'رحلة', '🏔'.repeat(100)].toSorted());
});

t.test('images are added at the end, in the order given, once each', async (t) => {
  const { call, ids } = await begin(4);
  const album = await make(call, 'Trip');
  const [a = '', b = '', c = '', d = ''] = ids;
  t.same((await call('POST', `${album.id}/images`, { ids: [c, a] })).json(), { added: 2, present: 0, unknown: [] });
  const again = await call('POST', `${album.id}/images`, { ids: [d, a, b.toUpperCase(), b] });
  t.same(again.json(), { added: 2, present: 1, unknown: [] });
  t.same(await idsIn(call, album), [c, a, d, b]);
});

t.test('an unknown image is reported, and the others are added', async (t) => {
  const { call, ids } = await begin(1);
  const album = await make(call, 'Trip');
  const unknown = '00000000-0000-7000-8000-000000000000';
  const answer = await call('POST', `${album.id}/images`, { ids: [unknown, ...ids] });
  t.same(answer.json(), { added: 1, present: 0, unknown: [unknown] });
  t.same(await idsIn(call, album), ids);
});

t.test("another user's image cannot be added, and the answer does not reveal it", async (t) => {
  const { call } = await begin();
  const [theirs = ''] = await store(app, await signIn(app), 1);
  const album = await make(call, 'Mine');
  const answer = await call('POST', `${album.id}/images`, { ids: [theirs] });
  t.same(answer.json(), { added: 0, present: 0, unknown: [theirs] });
  t.same(await idsIn(call, album), []);
  t.same((await call('POST', 'holding', { ids: [theirs] })).json(), { albums: [] });
});

t.test("every call on another user's album answers 404", async (t) => {
  const { call, ids } = await begin(1);
  const album = await make(call, 'Mine');
  await call('POST', `${album.id}/images`, { ids });
  const other = await signIn(app);
  const stranger = caller(app, other);
  const theirs = await store(app, other, 1);
  for (const [method, path, payload] of [
    ['GET', album.id],
    ['PATCH', album.id, { name: 'Yours' }],
    ['DELETE', album.id],
    ['POST', `${album.id}/images`, { ids: theirs }],
    ['DELETE', `${album.id}/images`, { ids }],
    ['PATCH', `${album.id}/images`, { ids, before: null }],
    ['POST', `${album.id}/link`],
    ['DELETE', `${album.id}/link`],
  ] as const) {
    const answer = await stranger(method, path, payload);
    t.match([answer.statusCode, answer.json()], [404, { code: 'NOT_FOUND' }], `${method} ${path}`);
  }
  t.same((await stranger('GET', '')).json(), { albums: [] });
  t.match((await call('GET', album.id)).json(), { album: { name: 'Mine', count: 1, link: null }, total: 1 });
});

t.test('every call is refused without a login', async (t) => {
  const { call } = await begin();
  const { id } = await make(call, 'Mine');
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['POST', 'holding'],
    ['GET', id],
    ['PATCH', id],
    ['DELETE', id],
    ['POST', `${id}/images`],
    ['DELETE', `${id}/images`],
    ['PATCH', `${id}/images`],
    ['POST', `${id}/link`],
    ['DELETE', `${id}/link`],
  ] as const) {
    t.equal((await app.inject({ method, url: `/api/albums/${path}` })).statusCode, 401, `${method} ${path}`);
  }
});

t.test('malformed requests are refused and change nothing', async (t) => {
  const { call, ids } = await begin(1);
  const { id } = await make(call, 'Mine');
  for (const [method, path, payload, status] of [
    ['GET', 'no-uuid', undefined, 404],
    ['GET', `${id}?page=0`, undefined, 400],
    ['GET', `${id}?page=x`, undefined, 400],
    ['PATCH', id, {}, 400],
    ['PATCH', id, { position: 0 }, 400],
    ['PATCH', id, { position: 1.5 }, 400],
    ['PATCH', id, { name: ' ' }, 400],
    ['PATCH', id, { cover: 'no-uuid' }, 400],
    ['POST', `${id}/images`, { ids: [] }, 400],
    ['POST', `${id}/images`, { ids: ['no-uuid'] }, 400],
    ['POST', `${id}/images`, { ids: Array.from({ length: 5001 }, () => ids[0]) }, 400],
    ['POST', `${id}/images`, { ids: Array.from({ length: 9000 }, () => ids[0]) }, 413],
    ['POST', `${id}/images`, {}, 400],
    ['DELETE', `${id}/images`, undefined, 400],
    ['PATCH', `${id}/images`, { ids }, 400],
    ['PATCH', `${id}/images`, { ids, before: ids[0] }, 400],
    ['PATCH', `${id}/images`, { ids, before: null }, 404],
  ] as const) {
    const answer = await call(method, path, payload);
    t.equal(answer.statusCode, status, `${method} ${path} ${JSON.stringify(payload)?.slice(0, 80)} ${answer.body}`);
  }
  t.match((await call('GET', id)).json(), { album: { name: 'Mine', count: 0, position: 1 } });
});

t.test('pages follow the order of the album and report the totals', async (t) => {
  const { call, ids } = await begin(5, await buildTestApp(t, { pageSize: 2 }));
  const album = await make(call, 'Trip');
  await call('POST', `${album.id}/images`, { ids });
  t.same(await idsIn(call, album), ids.slice(0, 2));
  t.same(await idsIn(call, album, '?page=2'), ids.slice(2, 4));
  t.same(await idsIn(call, album, '?page=3'), ids.slice(4));
  const past = (await call('GET', `${album.id}?page=${'9'.repeat(300)}`)).json();
  t.match(past, { images: [], total: 5, totalPages: 3, album: { count: 5 } });
  t.match((await call('GET', `${album.id}?page=2`)).json(), { page: 2, total: 5, totalPages: 3 });
});

t.test('images move side by side before another, or to the end', async (t) => {
  const { call, ids } = await begin(5);
  const album = await make(call, 'Trip');
  await call('POST', `${album.id}/images`, { ids });
  const [a = '', b = '', c = '', d = '', e = ''] = ids;
  const move = (some: string[], before: string | null) => call('PATCH', `${album.id}/images`, { ids: some, before });
  t.equal((await move([e, c], b)).statusCode, 204);
  t.same(await idsIn(call, album), [a, e, c, b, d]);
  await move([a], null);
  t.same(await idsIn(call, album), [e, c, b, d, a]);
  await move([a], e);
  t.same(await idsIn(call, album), [a, e, c, b, d]);
  t.equal((await move([a, '00000000-0000-7000-8000-000000000000'], b)).statusCode, 404);
  t.same(await idsIn(call, album), [a, e, c, b, d]);
});

t.test('the order holds after any number of moves to the same place', async (t) => {
  const { call, ids } = await begin(3);
  const album = await make(call, 'Trip');
  await call('POST', `${album.id}/images`, { ids });
  const [a = '', b = '', c = ''] = ids;
  for (let round = 0; round < 6; round += 1) {
    // Like after many moves: no room between two positions.
    if (round === 3) await app.db.execute(crowded('album_images', `album_id = '${album.id}'`));
    const moved = round % 2 === 0 ? a : b;
    t.equal((await call('PATCH', `${album.id}/images`, { ids: [moved], before: c })).statusCode, 204);
    t.same(await idsIn(call, album), round % 2 === 0 ? [b, a, c] : [a, b, c]);
  }
  await app.db.execute(`update album_images set position = 4503599627370496 where album_id = '${album.id}'`);
  const [d = ''] = await store(app, await signIn(app), 1);
  t.match((await call('POST', `${album.id}/images`, { ids: [d] })).json(), { unknown: [d] });
  t.equal((await call('PATCH', `${album.id}/images`, { ids: [a], before: null })).statusCode, 204);
  t.equal((await idsIn(call, album)).at(-1), a);
});

t.test('removing an image from an album keeps it in the gallery', async (t) => {
  const { account, call, ids } = await begin(3);
  const album = await make(call, 'Trip');
  await call('POST', `${album.id}/images`, { ids });
  t.same((await call('DELETE', `${album.id}/images`, { ids: ids.slice(0, 2) })).json(), { removed: 2 });
  t.same((await call('DELETE', `${album.id}/images`, { ids })).json(), { removed: 1 });
  t.same(await idsIn(call, album), []);
  t.equal((await app.inject({ url: '/api/images/', headers: account.bearer })).json().total, 3);
});

t.test("the cover is the card's first picture until it leaves the album", async (t) => {
  const { account, call, ids } = await begin(5);
  const album = await make(call, 'Trip');
  await call('POST', `${album.id}/images`, { ids });
  const images = (await call('GET', album.id)).json<AlbumPage>().images;
  const thumbnails = images.map(({ thumbnail_url }) => thumbnail_url);
  const shown = async () => {
    const [one] = (await call('GET', '')).json().albums;
    return [
      one.cover,
      ...one.covers.map(({ thumbnail_url }: { thumbnail_url: string }) => thumbnails.indexOf(thumbnail_url)),
    ];
  };
  t.same(await shown(), [null, 0, 1, 2]);
  t.equal((await call('PATCH', album.id, { cover: ids[3] })).json().album.cover, ids[3]);
  t.same(await shown(), [ids[3], 3, 0, 1]);
  await call('PATCH', album.id, { cover: ids[1] });
  t.same(await shown(), [ids[1], 1, 0, 2]);
  t.equal((await call('PATCH', album.id, { cover: null })).statusCode, 200);
  t.same(await shown(), [null, 0, 1, 2]);
  await call('PATCH', album.id, { cover: ids[4] });
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${ids[4]}`, headers: account.bearer });
  t.same(await shown(), [null, 0, 1, 2]);
  await call('PATCH', album.id, { cover: ids[3] });
  await call('DELETE', `${album.id}/images`, { ids: [ids[3]] });
  t.same(await shown(), [null, 0, 1, 2]);
  t.equal((await call('PATCH', album.id, { cover: ids[3], name: 'Other' })).statusCode, 404);
  t.same(await names(call), ['Trip']);
});

t.test('albums can be renamed and moved', async (t) => {
  const { account, call } = await begin();
  const [c, b, a] = [await make(call, 'C'), await make(call, 'B'), await make(call, 'A')];
  t.match((await call('PATCH', b.id, { name: ' Beta ' })).json(), { album: { name: 'Beta', position: 2 } });
  const put = async ({ id }: Album, position: number) => (await call('PATCH', id, { position })).json().album.position;
  t.equal(await put(a, 3), 3);
  t.same(await names(call), ['Beta', 'C', 'A']);
  t.equal(await put(a, 1), 1);
  t.same(await names(call), ['A', 'Beta', 'C']);
  t.equal(await put(b, 99), 3);
  t.same(await names(call), ['A', 'C', 'Beta']);
  for (let round = 0; round < 6; round += 1) {
    if (round === 2) await app.db.execute(crowded('albums', `owner_id = '${account.id}'`));
    t.equal(await put(round % 2 ? c : a, 2), 2);
  }
  t.same(await names(call), ['A', 'C', 'Beta']);
});

t.test('deleting an album keeps its images', async (t) => {
  const { account, call, ids } = await begin(2);
  const album = await make(call, 'Trip');
  await call('POST', `${album.id}/images`, { ids });
  t.equal((await call('DELETE', album.id)).statusCode, 204);
  t.equal((await call('GET', album.id)).statusCode, 404);
  t.equal((await call('DELETE', album.id)).statusCode, 404);
  t.equal((await app.inject({ url: '/api/images/', headers: account.bearer })).json().total, 2);
  t.equal((await app.db.execute(`select 1 from album_images where album_id = '${album.id}'`)).length, 0);
});

t.test('a deleted image leaves every album', async (t) => {
  const { account, call, ids } = await begin(2);
  const albums = [await make(call, 'One'), await make(call, 'Two')];
  for (const { id } of albums) await call('POST', `${id}/images`, { ids });
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${ids[0]}`, headers: account.bearer });
  for (const album of albums) {
    t.same(await idsIn(call, album), ids.slice(1));
    t.match((await call('GET', album.id)).json(), { total: 1, album: { count: 1 } });
  }
});

t.test('a call lists the albums that contain some images, with counts', async (t) => {
  const { call, ids } = await begin(3);
  const [one, two, three] = [await make(call, 'One'), await make(call, 'Two'), await make(call, 'Three')];
  await call('POST', `${one.id}/images`, { ids });
  await call('POST', `${two.id}/images`, { ids: ids.slice(0, 1) });
  await call('POST', `${three.id}/images`, { ids: ids.slice(2) });
  const { albums } = (await call('POST', 'holding', { ids: ids.slice(0, 2) })).json();
  t.same(
    new Map(albums.map((each: { id: string; count: number }) => [each.id, each.count])),
    new Map([
      [one.id, 2],
      [two.id, 1],
    ]),
  );
});

t.test(`an account has ${MAX_ALBUMS} albums at most`, async (t) => {
  const { account, call } = await begin();
  await app.db.execute(`insert into albums (id, owner_id, name, search_name, position)
    select gen_random_uuid(), '${account.id}', 'n', 'n', n from generate_series(1, ${MAX_ALBUMS - 1}) n`);
  t.equal((await call('POST', '', { name: 'last' })).statusCode, 201);
  const refused = await call('POST', '', { name: 'one more' });
  t.match([refused.statusCode, refused.json()], [409, { code: 'TOO_MANY_ALBUMS' }]);
  t.equal((await call('GET', '')).json().albums.length, MAX_ALBUMS);
});

t.test('concurrent additions and deletions neither deadlock nor leave rows', async (t) => {
  const { account, call, ids } = await begin(8);
  const album = await make(call, 'Trip');
  const answers = await Promise.all(
    ids.flatMap((id, index) => [
      call('POST', `${album.id}/images`, { ids: [id, ids[(index + 5) % ids.length]] }),
      index % 2 === 0
        ? app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer })
        : call('DELETE', `${album.id}/images`, { ids: [id] }),
    ]),
  );
  for (const answer of answers) t.ok([200, 204].includes(answer.statusCode), answer.body);
  const { images, total } = (await call('GET', album.id)).json();
  t.equal(images.length, total);
});
