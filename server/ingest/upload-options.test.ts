/** Albums, ends and delete links of uploads by form and by tus, and answers in plain text. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import t from 'tap';
import type { Image, StoredImage } from '../contract.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp, listen } from '../testing/app.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { noise, picture } from '../testing/pictures.ts';
import { openSocket } from '../testing/socket.ts';
import { askOffset, askOutcome, openUpload, sendPart } from '../testing/tus.ts';

const app = await buildTestApp(t);
const origin = await listen(app);
const bytes = await picture();
const file = { name: 'a.png', bytes };

type Bearer = Pick<TestAccount, 'bearer'>;

const hour = 3_600_000;
const day = 24 * hour;
const left = ({ expires_at }: Pick<Image, 'expires_at'>) => Date.parse(String(expires_at)) - Date.now();
const isAbout = (ms: number, wanted: number) => ms <= wanted && ms > wanted - hour / 2;

async function makeAlbum({ bearer }: Bearer, name = 'Trip'): Promise<string> {
  const call = { method: 'POST', url: '/api/albums', headers: bearer, payload: { name } } as const;
  return (await app.inject(call)).json().album.id;
}

const inAlbum = async ({ bearer }: Bearer, id: string): Promise<string[]> =>
  (await app.inject({ url: `/api/albums/${id}`, headers: bearer })).json().images.map((image: Image) => image.id);

const metadata = (pairs: Record<string, string>) => ({
  'upload-metadata': Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(),
});

/** Uploads a file by tus. @returns its outcome */
async function storeByTus(account: Bearer, pairs: Record<string, string>) {
  const opening = await openUpload(app, account, bytes.length, metadata(pairs));
  t.equal(opening.statusCode, 201, opening.body);
  const path = String(opening.headers.location);
  const known = (await askOffset(app, account, path)).headers['upload-metadata'];
  await sendPart(app, account, path, 0, bytes);
  return { known, path, image: (await askOutcome(app, account, path)).json().image as StoredImage };
}

t.test('an upload by form and by tus goes into its album, ends at its time and has its delete link', async (t) => {
  const account = await signIn(app);
  const album = await makeAlbum(account);
  const query = `?album=${album.toUpperCase()}&expires_in=7d&delete_link=1`;
  const [image] = await storeFiles(app, account, [file], { query });
  const pairs = { filename: 'b.png', album, expires_in: '7d', delete_link: '1' };
  const tus = await storeByTus(account, pairs);
  t.equal(tus.known, metadata(pairs)['upload-metadata']);
  for (const one of [image, tus.image]) {
    t.ok(one && isAbout(left(one), 7 * day), one?.expires_at ?? '');
    t.match(one?.delete_url, /^http:\/\/[^/]+\/d\/[\w-]{22}$/);
  }
  t.same(await inAlbum(account, album), [image?.id, tus.image.id]);
  t.not(image?.delete_url, tus.image.delete_url);
  const again = (await askOutcome(app, account, tus.path)).json().image;
  t.equal(again.delete_url, tus.image.delete_url, 'an answer that got lost can be requested again');

  const listed = (await app.inject({ url: `/api/images/${image?.id}`, headers: account.bearer })).json();
  t.notOk('delete_url' in listed.image, 'only the upload shows it');
  t.equal(listed.image.expires_at, image?.expires_at);
  const dump = JSON.stringify(await app.db.execute('select * from images'));
  t.notMatch(dump, new URL(image?.delete_url ?? '').pathname.slice(3), 'the database holds a hash');
});

t.test('a retry with the same upload key gets the same image, end and delete link', async (t) => {
  const account = await signIn(app);
  const send = () => storeFiles(app, account, [file], { query: '?expires_in=1h&delete_link=1', keys: ['a'] });
  const [[first], [second]] = [await send(), await send()];
  t.match(first?.delete_url, /\/d\//);
  t.match(second, { id: first?.id, expires_at: first?.expires_at, delete_url: first?.delete_url });
});

t.test('a retry with the same upload key adds the image to the album that it names, once', async (t) => {
  const account = await signIn(app);
  const [album, second] = [await makeAlbum(account), await makeAlbum(account, 'Second')];
  const other = { name: 'b.png', bytes: await noise(40, 30, 'png') };
  const send = (files: (typeof file)[], keys: string[], id: string) =>
    storeFiles(app, account, files, { query: `?album=${id}`, keys });
  const [first] = await storeFiles(app, account, [file], { keys: ['a'] });
  await send([file], ['a'], album);
  t.same(await inAlbum(account, album), [first?.id]);
  const [, added] = await send([file, other, file], ['a', 'b', 'a'], album);
  t.same(await inAlbum(account, album), [first?.id, added?.id], 'the others of the form go to the end');
  await send([other, other], ['b', 'b'], second);
  t.same(await inAlbum(account, second), [added?.id]);
  await storeByTus(account, { album: second, upload_key: 'a' });
  t.same(await inAlbum(account, second), [added?.id, first?.id], 'by tus');
});

t.test('the same file under one upload key is one image, by tus and by form', async (t) => {
  const account = await signIn(app);
  const pairs = { filename: 'a.png', upload_key: 'k' };
  const [first, second] = [await storeByTus(account, pairs), await storeByTus(account, pairs)];
  const [third] = await storeFiles(app, account, [file], { keys: ['k'] });
  t.same([second.image.id, third?.id], [first.image.id, first.image.id]);
  t.equal(first.known, metadata(pairs)['upload-metadata'], 'HEAD answers the key');
  const found = await app.inject({ url: '/api/images/uploaded', headers: { ...account.bearer, 'upload-keys': 'k' } });
  t.same(found.json(), { ids: [first.image.id] });
  const usage = await app.inject({ url: '/api/images/usage', headers: account.bearer });
  t.match(usage.json(), { images: 1 });
  const invalid = await openUpload(app, account, bytes.length, metadata({ upload_key: 'a b' }));
  t.match(invalid.json(), { statusCode: 400, message: /upload_key/ });
});

t.test('an upload key of an expired image that is not deleted yet is free', async (t) => {
  const account = await signIn(app);
  const lookUp = async () =>
    (await app.inject({ url: '/api/images/uploaded', headers: { ...account.bearer, 'upload-keys': 'k' } })).json().ids;
  const send = async () => (await storeFiles(app, account, [file], { query: '?expires_in=1h', keys: ['k'] }))[0];
  const first = await send();
  t.same(await lookUp(), [first?.id]);
  await app.db.execute(`update images set expires_at = now() where id = '${first?.id}'`);
  t.same(await lookUp(), [null]);
  const second = await send();
  t.not(second?.id, first?.id);
  t.ok(second && left(second) > hour / 2, 'the same bytes are stored again, for another hour');
  t.same(await lookUp(), [second?.id]);
  t.equal((await send())?.id, second?.id);
});

t.test('an unknown album answers 404 before a byte of the body is read', async (t) => {
  const [account, stranger] = [await signIn(app), await signIn(app)];
  const own = await makeAlbum(account);
  const restricted = await createApiToken(app, account, ['images:upload'], { album: own });
  const unknown: [Bearer, string][] = [
    [account, randomUUID()],
    [account, 'trip'],
    [account, await makeAlbum(stranger)],
    [restricted, await makeAlbum(account, 'Second')],
  ];
  for (const [who, album] of unknown) {
    const { socket } = await openSocket(origin);
    const answered = once(socket, 'data', { signal: AbortSignal.timeout(30_000) });
    socket.write(
      `POST /api/images/upload?album=${album} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${who.bearer.authorization}\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n',
    );
    t.match(String((await answered)[0]), /^HTTP\/1\.1 404 /);
    socket.destroy();
    const opening = await openUpload(app, who, 10, metadata({ album }));
    t.match(opening.json(), { statusCode: 404, code: 'NOT_FOUND' });
  }
  t.equal((await postFiles(app, restricted, [file], { query: `?album=${own}` })).statusCode, 201);
});

t.test('an option with an invalid value is refused', async (t) => {
  const account = await signIn(app);
  for (const query of [
    'expires_in=4m',
    'expires_in=6y',
    'expires_in=soon',
    'expires_in=',
    'expires_in=1h&expires_in=2h',
  ])
    t.match((await postFiles(app, account, [file], { query: `?${query}` })).json(), { code: 'INVALID_REQUEST' }, query);
  t.equal((await postFiles(app, account, [file], { query: '?delete_link=yes' })).statusCode, 400);
  t.equal((await openUpload(app, account, 10, metadata({ expires_in: '6y' }))).statusCode, 400);
});

t.test("a token's images_expire_in is the default and the maximum of its uploads", async (t) => {
  const account = await signIn(app);
  const token = await createApiToken(app, account, ['images:upload'], { images_expire_in: '7d' });
  const stored = async (query: string) => (await storeFiles(app, token, [file], { query }))[0];
  for (const [query, wanted] of [
    ['', 7 * day],
    ['?expires_in=5y', 7 * day],
    ['?expires_in=2h', 2 * hour],
  ] as const) {
    const image = await stored(query);
    t.ok(image && isAbout(left(image), wanted), `${query}: ${image?.expires_at}`);
  }
  const { image } = await storeByTus(token, { filename: 'a.png', expires_in: '5y' });
  t.ok(isAbout(left(image), 7 * day));
});

t.test('two images with the same bytes have separate ends and delete links', async (t) => {
  const account = await signIn(app);
  await storeFiles(app, account, [file], { query: '?expires_in=1h&delete_link=1' });
  const [image] = await storeFiles(app, account, [file]);
  t.match(image, { duplicate: true, expires_at: null });
  const { length } = await app.db.execute(`select 1 from images where id = '${image?.id}' and delete_hash is null`);
  t.equal(length, 1);
});

t.test('a plain-text answer has a line for each file in the order sent, with the usual status', async (t) => {
  const account = await signIn(app);
  const files = [
    { name: 'no.txt', bytes: 'no picture' },
    { name: 'a.png', bytes: await noise(20, 10, 'png') },
    { name: 'empty.png', bytes: '' },
    file,
  ];
  const send = (some: typeof files, accept = 'text/plain') => postFiles(app, account, some, { accept });
  const mixed = await send(files);
  t.equal(mixed.statusCode, 207);
  t.equal(mixed.headers['content-type'], 'text/plain; charset=utf-8');
  const lines = mixed.body.split('\n');
  t.equal(lines.length, 5);
  t.match(lines[0], /^! no\.txt: The file is not an image/);
  t.match(lines[2], '! empty.png: The file is empty.');
  for (const link of [lines[1], lines[3]])
    t.equal((await app.inject(new URL(link ?? '').pathname)).statusCode, 200, `${link}`);
  t.equal(lines[4], '', 'each line ends');

  t.equal((await send([file])).statusCode, 201);
  const refused = await send([{ name: 'empty.png', bytes: '' }]);
  t.equal(refused.statusCode, 422);
  t.equal(refused.body, '! empty.png: The file is empty.\n');
  for (const accept of ['*/*', 'application/json, text/plain, */*'])
    t.match((await send([file], accept)).json(), { rejected: [] }, accept);
});
