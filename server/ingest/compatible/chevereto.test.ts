import t from 'tap';
import type { Image } from '../../contract.ts';
import { signIn, type TestAccount } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp } from '../../testing/app.ts';
import { picture } from '../../testing/pictures.ts';

const app = await buildTestApp(t);
const png = await picture();
const day = 86_400_000;

type Sent = { fields?: Record<string, string>; source?: Blob | string; query?: string; last?: Record<string, string> };

/** @param last fields after the file */
async function send(headers: Record<string, string>, { fields = {}, source, query = '', last = {} }: Sent = {}) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  if (typeof source === 'string') data.append('source', source);
  else data.append('source', source ?? new Blob([png]), 'a.png');
  for (const [name, value] of Object.entries(last)) data.append(name, value);
  const encoded = new Response(data);
  const payload = Buffer.from(await encoded.arrayBuffer());
  const type = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return app.inject({ method: 'POST', url: `/api/1/upload${query}`, headers: { ...type, ...headers }, payload });
}

async function start(more = {}) {
  const account = await signIn(app);
  const { secret } = await createApiToken(app, account, ['images:upload'], more);
  return { account, secret, key: { 'x-api-key': secret } };
}

const listed = async ({ bearer }: TestAccount): Promise<Image[]> =>
  (await app.inject({ url: '/api/images', headers: bearer })).json().images;

t.test('the fields set title, description, album and end, also after the file', async (t) => {
  const { account, key } = await start();
  const call = { method: 'POST', url: '/api/albums', headers: account.bearer, payload: { name: 'Trip' } } as const;
  const album = (await app.inject(call)).json().album.id;
  const fields = { title: 'Port 1/2', description: 'A boat\nat sea', album_id: album, expiration: 'P1D', nsfw: '0' };
  for (const sent of [{ fields }, { last: fields }]) {
    const answer = await send(key, sent);
    t.equal(answer.statusCode, 200, answer.body);
    t.match(answer.json(), {
      status_code: 200,
      success: { code: 200 },
      image: {
        filename: 'Port 1-2.png',
        mime: 'image/png',
        url: /^http:\/\/localhost:80\/i\/[\w-]{22}\.png$/,
        thumb: { url: /thumbnail\.webp$/ },
        delete_url: /^http:\/\/localhost:80\/d\/[\w-]{22}$/,
      },
      status_txt: 'OK',
    });
    t.equal(answer.json().image.url_viewer, answer.json().image.url);
  }
  const { images } = (await app.inject({ url: `/api/albums/${album}`, headers: account.bearer })).json();
  t.equal(images.length, 2);
  for (const image of images as Image[]) {
    t.equal(image.description, 'A boat at sea');
    const left = Date.parse(String(image.expires_at)) - Date.now();
    t.ok(left > 0.9 * day && left <= day);
  }
  const found = await app.inject({ url: '/api/images?search=boat', headers: account.bearer });
  t.equal(found.json().total, 2, 'a search finds the description');
});

t.test('parameters may be in the address, with a slash at the end of its path', async (t) => {
  const { account, key } = await start();
  t.match((await send(key, { query: '/?format=txt&title=Sea' })).body, /^http:\S+\.png$/);
  t.match(await listed(account), [{ filename: 'Sea.png', expires_at: null, description: '' }]);
});

t.test('the format is JSON, the link as text, or a redirect to it', async (t) => {
  const { key } = await start();
  const asText = await send(key, { last: { format: 'txt' } });
  t.match(asText.headers['content-type'], /^text\/plain/);
  t.match(asText.body, /^http:\S+\.png$/);
  const redirect = await send(key, { fields: { format: 'redirect' } });
  t.match(redirect, { statusCode: 302, headers: { location: /^http:\S+\.png$/ } });
  t.match((await send(key, { fields: { format: 'xml' } })).json(), { status_code: 200 });
  const refused = await send(key, { last: { format: 'txt', expiration: 'soon' } });
  t.equal(refused.statusCode, 400);
  t.match(refused.headers['content-type'], /^text\/plain/);
  t.match(refused.body, /^"expiration" needs a time/);
});

t.test('an address or base64 as source is refused', async (t) => {
  const { account, key } = await start();
  const refusal = { status_code: 400, error: { message: /"source" as a file/, code: 'INVALID_REQUEST' } };
  t.match((await send(key, { source: 'https://example.com/a.png' })).json(), refusal);
  t.match((await send(key, { source: png.toString('base64') })).json(), refusal);
  t.match((await send(key, { source: 'A'.repeat(200_000) })).json(), refusal);
  t.match((await send(key, { query: '?source=https%3A%2F%2Fexample.com%2Fa.png' })).json(), refusal);
  const headers = { ...key, 'content-type': 'application/x-www-form-urlencoded' };
  const payload = `source=${encodeURIComponent(png.toString('base64'))}`;
  t.match((await app.inject({ method: 'POST', url: '/api/1/upload', headers, payload })).json(), refusal);
  t.same(await listed(account), []);
});

t.test('a field that contains a JSON object is ignored', async (t) => {
  const { account, key } = await start();
  const part = (head: string, value: string | Buffer) =>
    Buffer.concat([Buffer.from(`--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n`), Buffer.from(value)]);
  const payload = Buffer.concat([
    part('name="title"\r\nContent-Type: application/json', '{"a":1}\r\n'),
    part('name="source"; filename="a.png"', png),
    Buffer.from('\r\n--x--\r\n'),
  ]);
  const headers = { ...key, 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await app.inject({ method: 'POST', url: '/api/1/upload', headers, payload });
  t.equal(answer.statusCode, 200, answer.body);
  t.match(await listed(account), [{ filename: 'a.png' }]);
});

t.test('a key counts only in the header', async (t) => {
  const { account, secret, key } = await start();
  const unauthorized = {
    status_code: 401,
    error: { message: /in the header X-API-Key\.$/ },
    status_txt: 'Unauthorized',
  };
  t.match((await send({}, { fields: { key: secret } })).json(), unauthorized);
  t.match((await send({}, { query: `?key=${secret}` })).json(), unauthorized);
  t.match((await send(key, { query: `?key=${secret}` })).json(), {
    status_code: 400,
    error: { message: /header X-API-Key, not in the address/ },
  });
  t.same(await listed(account), []);
  t.equal((await send(key, { fields: { key: secret } })).statusCode, 200, 'a second one in the form is ignored');
});

t.test('only a token with the scope is accepted', async (t) => {
  const { account } = await start();
  t.match((await send(account.bearer)).json(), { status_code: 401, error: { code: 'UNAUTHORIZED' } });
  const { secret } = await createApiToken(app, account, ['images:read']);
  t.match((await send({ 'x-api-key': secret })).json(), { status_code: 403, error: { code: 'SCOPE_NEEDED' } });
});

t.test('a refused image is an error in Chevereto’s form, and nothing is stored', async (t) => {
  const { account, key } = await start();
  t.match((await send(key, { source: new Blob(['no picture']) })).json(), {
    status_code: 415,
    error: { message: /^The file is not an image/, code: 'NOT_AN_IMAGE' },
    status_txt: 'Unsupported Media Type',
  });
  t.match((await send(key, { fields: { album_id: 'abc' } })).json(), { status_code: 404 });
  t.match((await send(key, { last: { description: 'a'.repeat(2001) } })).json(), { status_code: 400 });
  t.match((await send(key, { last: { expiration: 'P9Y' } })).json(), { status_code: 400 });
  const data = new FormData();
  for (const name of ['a.png', 'b.png']) data.append('source', new Blob([png]), name);
  const encoded = new Response(data);
  const headers = { ...key, 'content-type': encoded.headers.get('content-type') ?? '' };
  const payload = Buffer.from(await encoded.arrayBuffer());
  const two = await app.inject({ method: 'POST', url: '/api/1/upload', headers, payload });
  t.match(two.json(), { status_code: 413, error: { code: 'TOO_MANY_FILES', message: /^At most 1 file can/ } });
  t.same(await listed(account), []);
});

t.test('a token for one album uploads into it alone', async (t) => {
  const account = await signIn(app);
  const make = async () =>
    (await app.inject({ method: 'POST', url: '/api/albums', headers: account.bearer, payload: { name: 'A' } })).json()
      .album.id;
  const [own, other] = [await make(), await make()];
  const { secret } = await createApiToken(app, account, ['images:upload'], { album: own });
  t.equal((await send({ 'x-api-key': secret })).statusCode, 200);
  t.equal((await send({ 'x-api-key': secret }, { fields: { album_id: other } })).statusCode, 404);
  const { total } = (await app.inject({ url: `/api/albums/${own}`, headers: account.bearer })).json();
  t.equal(total, 1);
});
