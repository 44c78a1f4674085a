/** Tokens that are restricted to an album, and the uploads of tokens. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Album, Image } from '../../contract.ts';
import { SCOPES } from '../../http/scopes.ts';
import { signIn } from '../../testing/account.ts';
import { createApiToken, type TestToken } from '../../testing/api-token.ts';
import { buildTestApp } from '../../testing/app.ts';
import { postFiles, storeFiles } from '../../testing/form.ts';
import { noise } from '../../testing/pictures.ts';
import { askOffset, askOutcome, cancelUpload, opened, sendPart } from '../../testing/tus.ts';

const app = await buildTestApp(t);

type Bearer = Pick<TestToken, 'bearer'>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const call = (who: Bearer, method: Method, url: string, payload?: object) =>
  app.inject({ method, url: `/api/${url}`, headers: who.bearer, ...(payload ? { payload } : {}) });

const makeAlbum = async (who: Bearer, name: string): Promise<Album> =>
  (await call(who, 'POST', 'albums', { name })).json().album;

const file = async (name: string) => ({ name: `${name}.png`, bytes: await noise(40, 30, 'png') });

/** Two albums with an image each, of which the second is also in the first; an image in none; a token for the first album. */
async function begin() {
  const account = await signIn(app);
  const names = ['mine', 'both', 'other', 'loose'];
  const images = await storeFiles(app, account, await Promise.all(names.map(file)));
  const [mine = '', both = '', other = '', loose = ''] = images.map(({ id }) => id);
  const [album, second] = [await makeAlbum(account, 'Trip'), await makeAlbum(account, 'Secret')];
  await call(account, 'POST', `albums/${album.id}/images`, { ids: [mine, both] });
  await call(account, 'POST', `albums/${second.id}/images`, { ids: [both, other] });
  const token = await createApiToken(app, account, [...SCOPES], { album: album.id });
  return { account, token, album, second, mine, both, other, loose };
}

const idsOf = (images: Image[]) => images.map(({ id }) => id).toSorted();

const listed = async (who: Bearer, query = '') => {
  const answer = (await call(who, 'GET', `images${query}`)).json();
  return { ids: idsOf(answer.images), total: answer.total };
};

const inAlbum = async (who: Bearer, id: string) => idsOf((await call(who, 'GET', `albums/${id}`)).json().images);

t.test('a restricted token lists and finds the images of its album alone', async (t) => {
  const { account, token, mine, both, other, loose } = await begin();
  const all = { ids: [mine, both].toSorted(), total: 2 };
  for (const query of [
    '',
    '?sort=name',
    '?order=asc',
    '?sort=size&order=desc',
    '?search=type:png',
    '?search=album:trip',
  ])
    t.same(await listed(token, query), all, query);
  t.same(await listed(token, '?search=mine'), { ids: [mine], total: 1 });
  for (const query of ['?search=other', '?search=loose', '?search=album:secret'])
    t.same(await listed(token, query), { ids: [], total: 0 }, query);
  t.equal((await listed(account)).total, 4);
  for (const [id, status] of [
    [mine, 200],
    [both, 200],
    [other, 404],
    [loose, 404],
    [randomUUID(), 404],
    ['none', 404],
  ] as const) {
    const answer = await call(token, 'GET', `images/${id}`);
    t.equal(answer.statusCode, status, id);
    if (status === 200) t.equal(answer.json().image.id, id);
    t.equal((await call(token, 'GET', `images/${id}/original`)).statusCode, status, id);
  }
  t.equal((await call(account, 'GET', `images/${loose}`)).json().image.filename, 'loose.png');
  t.equal((await call(await signIn(app), 'GET', `images/${mine}`)).statusCode, 404, 'of another account');
});

t.test('a restricted token changes, deletes and packs the images of its album alone', async (t) => {
  const { account, token, mine, both, other, loose } = await begin();
  for (const id of [other, loose]) {
    t.equal((await call(token, 'PATCH', `images/${id}`, { filename: 'x.png' })).statusCode, 404);
    t.equal((await call(token, 'DELETE', `images/delete/${id}`)).statusCode, 404);
    t.equal((await call(token, 'GET', `images/archive?ids=${id}`)).statusCode, 404);
  }
  const zip = await call(token, 'GET', `images/archive?ids=${mine},${loose}`);
  t.match(zip.body, /mine\.png/);
  t.notMatch(zip.body, /loose\.png/);
  t.equal((await call(token, 'PATCH', `images/${mine}`, { description: 'the sea' })).statusCode, 200);
  t.equal((await call(token, 'DELETE', `images/delete/${both}`)).statusCode, 204);
  t.same((await listed(account)).ids, [mine, other, loose].toSorted());
  t.equal((await call(account, 'GET', `images/${loose}`)).json().image.filename, 'loose.png');
});

t.test('a restricted token sees its album alone, and changes no other', async (t) => {
  const { account, token, album, second, mine, both, other, loose } = await begin();
  t.same(
    (await call(token, 'GET', 'albums')).json().albums.map(({ id }: Album) => id),
    [album.id],
  );
  t.same(await inAlbum(token, album.id.toUpperCase()), [mine, both].toSorted());
  const ids = [both];
  for (const [method, path, payload] of [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine' }],
    ['POST', '/images', { ids }],
    ['PATCH', '/images', { ids, before: null }],
    ['DELETE', '/images', { ids }],
    ['POST', '/link'],
    ['DELETE', '/link'],
  ] as const) {
    t.equal((await call(token, method, `albums/${second.id}${path}`, payload)).statusCode, 404, method + path);
  }
  t.same((await call(token, 'POST', 'albums/holding', { ids: [mine, both, other] })).json().albums, [
    { id: album.id, count: 2 },
  ]);
  const added = await call(token, 'POST', `albums/${album.id}/images`, { ids: [mine, loose, other] });
  t.same(added.json(), { added: 0, present: 1, unknown: [loose, other] }, 'it cannot bring other images into view');
  t.equal((await call(token, 'PATCH', `albums/${album.id}`, { name: 'Sea' })).json().album.name, 'Sea');
  t.match((await call(token, 'POST', `albums/${album.id}/link`)).json().url, /\/a\//);
  t.same((await call(token, 'DELETE', `albums/${album.id}/images`, { ids: [mine] })).json(), { removed: 1 });
  t.same(await inAlbum(token, album.id), [both]);
  t.equal((await call(token, 'GET', `images/${mine}`)).statusCode, 404);
  t.same(await inAlbum(account, second.id), [both, other].toSorted());
});

t.test('a restricted token can neither create albums nor delete its own, and ends with it', async (t) => {
  const { account, token, album, second } = await begin();
  for (const [method, url, payload] of [
    ['POST', 'albums', { name: 'New' }],
    ['DELETE', `albums/${album.id}`],
    ['DELETE', `albums/${second.id}`],
  ] as const) {
    const answer = await call(token, method, url, payload);
    t.match(
      [answer.statusCode, answer.json()],
      [403, { code: 'SCOPE_NEEDED', message: /^This API token is restricted to one album\./ }],
    );
    t.equal(answer.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="albums:write"');
  }
  t.equal((await call(account, 'GET', 'albums')).json().albums.length, 2);
  await call(account, 'DELETE', `albums/${album.id}`);
  t.equal((await call(token, 'GET', 'images')).statusCode, 401);
  t.same((await call(account, 'GET', 'account/tokens')).json().tokens, []);
});

t.test('uploads of a restricted token go to the end of its album, by form and in pieces', async (t) => {
  const { account, token, album, mine, both } = await begin();
  const [first, second] = await storeFiles(app, token, [await file('1'), await file('2')]);
  const bytes = await noise(30, 30, 'png');
  const path = await opened(app, token, bytes.length);
  await sendPart(app, token, path, 0, bytes);
  const { image } = (await askOutcome(app, token, path)).json();
  const page = (await call(token, 'GET', `albums/${album.id}`)).json();
  t.same(idsOf(page.images.slice(0, 2)), [mine, both].toSorted());
  t.same(
    page.images.slice(2).map(({ id }: Image) => id),
    [first?.id, second?.id, image.id],
  );
  await call(account, 'DELETE', `albums/${album.id}/images`, { ids: [image.id] });
  t.equal((await askOutcome(app, token, path)).json().image, null, 'an image that left the album');
});

t.test('an upload into a full album stores nothing', async (t) => {
  const full = await buildTestApp(t);
  const account = await signIn(full);
  const { id } = (
    await full.inject({ method: 'POST', url: '/api/albums', headers: account.bearer, payload: { name: 'Full' } })
  ).json().album;
  await full.db.execute('alter table album_images drop constraint album_images_image_id_images_id_fk');
  await full.db.execute(`insert into album_images (album_id, image_id, owner_id, position)
    select '${id}', gen_random_uuid(), '${account.id}', n from generate_series(1, 100000) n`);
  const token = await createApiToken(full, account, ['images:upload'], { album: id });
  const refused = await postFiles(full, token, [await file('one')]);
  t.match([refused.statusCode, refused.json().code], [409, 'ALBUM_FULL']);
  const bytes = await noise(30, 30, 'png');
  const path = await opened(full, token, bytes.length);
  await sendPart(full, token, path, 0, bytes);
  t.match((await askOutcome(full, token, path)).json(), { state: 'refused', rejected: { code: 'ALBUM_FULL' } });
  t.same(await full.db.execute('select 1 from images'), []);
});

t.test('an upload key finds no image outside the album of a restricted token', async (t) => {
  const { account, token, album } = await begin();
  const one = await file('one');
  const send = async (who: Bearer) => (await postFiles(app, who, [one], { keys: ['key-1'] })).json().images[0].id;
  const outside = await send(account);
  const inside = await send(token);
  t.not(inside, outside);
  t.equal(await send(token), inside, 'a retry');
  t.equal(await send(account), outside);
  t.ok((await inAlbum(account, album.id)).includes(inside));
});

t.test('a token sees, continues and cancels only the resumable uploads that it opened', async (t) => {
  const account = await signIn(app);
  const make = () => createApiToken(app, account, ['images:upload']);
  const [token, other] = [await make(), await make()];
  const bytes = await noise(30, 30, 'png');
  const [own, foreign, ofSession] = [
    await opened(app, token, bytes.length),
    await opened(app, other, bytes.length),
    await opened(app, account, bytes.length),
  ];
  for (const path of [foreign, ofSession]) {
    t.equal((await askOffset(app, token, path)).statusCode, 404);
    t.equal((await askOutcome(app, token, path)).statusCode, 404);
    t.equal((await sendPart(app, token, path, 0, bytes)).statusCode, 404);
    t.equal((await cancelUpload(app, token, path)).statusCode, 404);
  }
  t.equal((await sendPart(app, token, own, 0, bytes)).statusCode, 204);
  t.match((await askOutcome(app, token, own)).json(), { state: 'stored', image: { content_type: 'image/png' } });
  t.equal((await askOffset(app, account, foreign)).headers['upload-offset'], '0', 'the owner sees all of them');
  t.equal((await cancelUpload(app, other, foreign)).statusCode, 204);
});
