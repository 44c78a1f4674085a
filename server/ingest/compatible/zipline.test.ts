import t from 'tap';
import type { Image } from '../../contract.ts';
import { signIn, type TestAccount } from '../../testing/account.ts';
import { createApiToken, type TestToken } from '../../testing/api-token.ts';
import { buildTestApp } from '../../testing/app.ts';
import { form, type SentFile } from '../../testing/form.ts';
import { noise, picture } from '../../testing/pictures.ts';

const app = await buildTestApp(t, { maxFiles: 3, maxFileSize: 100_000, quotaImages: 4 });
const png = await picture();
const file = { name: 'a.png', bytes: png, field: 'file' };
const text = { name: 'notes.txt', bytes: 'no picture', field: 'file' };

const hour = 3_600_000;

const tokenOf = (account: TestAccount, more = {}) => createApiToken(app, account, ['images:upload'], more);

async function send(headers: Record<string, string>, files: SentFile[] = [file]) {
  const { headers: type, payload } = await form(files);
  return app.inject({ method: 'POST', url: '/api/upload', headers: { ...type, ...headers }, payload });
}

const listed = async ({ bearer }: TestAccount): Promise<Image[]> =>
  (await app.inject({ url: '/api/images', headers: bearer })).json().images;

async function makeAlbum({ bearer }: TestAccount): Promise<string> {
  const call = { method: 'POST', url: '/api/albums', headers: bearer, payload: { name: 'Trip' } } as const;
  return (await app.inject(call)).json().album.id;
}

async function start(more = {}): Promise<{ account: TestAccount; token: TestToken; bare: { authorization: string } }> {
  const account = await signIn(app);
  const token = await tokenOf(account, more);
  return { account, token, bare: { authorization: token.secret } };
}

t.test('the files of a request are answered in the order sent', async (t) => {
  const { account, bare } = await start();
  const answer = await send(bare, [file, { ...file, name: 'b.jpg', bytes: await picture({ format: 'jpeg' }) }]);
  t.equal(answer.statusCode, 200);
  const { files } = answer.json();
  t.match(files, [
    { name: 'a.png', type: 'image/png', url: /^http:\/\/localhost:80\/i\/[\w-]{22}\.png$/ },
    { name: 'b.jpg', type: 'image/jpeg' },
  ]);
  t.same(Object.keys(answer.json()), ['files']);
  t.same((await listed(account)).map(({ id }) => id).toSorted(), files.map(({ id }: Image) => id).toSorted());
});

t.test('the headers choose the album, the end and whether the name is kept', async (t) => {
  const { account, bare } = await start();
  const album = await makeAlbum(account);
  const answer = await send({
    ...bare,
    'X-Zipline-Folder': album,
    'x-zipline-deletes-at': '1d',
    'x-zipline-original-name': 'false',
  });
  t.equal(answer.statusCode, 200, answer.body);
  t.equal(answer.headers['x-ignored'], undefined);
  const { images } = (await app.inject({ url: `/api/albums/${album}`, headers: account.bearer })).json();
  t.match(images, [{ filename: 'image.png', expires_at: answer.json().deletesAt }]);
  const left = Date.parse(answer.json().deletesAt) - Date.now();
  t.ok(left > 23 * hour && left <= 24 * hour);
});

t.test('a date is the end, and the token’s limit shortens it', async (t) => {
  const { account, bare } = await start();
  const date = new Date(Date.now() + 2 * hour).toISOString();
  const ends = async (headers: Record<string, string>) => Date.parse((await send(headers)).json().deletesAt);
  t.ok(Math.abs((await ends({ ...bare, 'x-zipline-deletes-at': `date=${date}` })) - Date.parse(date)) < 5_000);
  const { secret } = await tokenOf(account, { images_expire_in: '1h' });
  for (const headers of [{}, { 'x-zipline-deletes-at': '1d' }] as Record<string, string>[]) {
    const end = await ends({ authorization: secret, ...headers });
    t.ok(end <= Date.now() + hour && end > Date.now() + hour / 2);
  }
});

t.test('x-zipline-no-json answers one link a line', async (t) => {
  const { bare } = await start();
  const answer = await send({ ...bare, 'x-zipline-no-json': 'true' }, [file, file]);
  t.match(answer.headers['content-type'], /^text\/plain/);
  t.match(answer.body, /^http:\/\/\S+\.png\nhttp:\/\/\S+\.png$/);
});

t.test('unknown headers of Zipline are ignored and named', async (t) => {
  const { bare } = await start();
  const answer = await send({ ...bare, 'x-zipline-format': 'uuid', 'X-Zipline-Max-Views': '3' });
  t.equal(answer.statusCode, 200);
  t.equal(answer.headers['x-ignored'], 'x-zipline-format, x-zipline-max-views');
});

t.test('one refused file refuses all, and nothing is stored', async (t) => {
  const { account, bare } = await start();
  t.match((await send(bare, [file, text])).json(), {
    statusCode: 415,
    code: 'NOT_AN_IMAGE',
    error: /^notes\.txt: The file is not an image/,
  });
  t.match((await send(bare, [file, { ...file, bytes: await noise(600, 600) }])).json(), { code: 'FILE_TOO_LARGE' });
  t.match((await send(bare, [file, file, file, file])).json(), { code: 'TOO_MANY_FILES', statusCode: 413 });
  t.same(await listed(account), []);
});

t.test('a quota with room for some of the files refuses all', async (t) => {
  const { account, bare } = await start();
  t.equal((await send(bare, [file, file])).statusCode, 200);
  const refused = await send(bare, [file, file, file]);
  t.match(refused.json(), { statusCode: 413, code: 'QUOTA_EXCEEDED', error: /no room/ });
  t.equal((await listed(account)).length, 2);
  t.equal((await send(bare, [file, file])).statusCode, 200, 'the room is still there');
  t.match((await send(bare)).json(), { statusCode: 413, code: 'QUOTA_EXCEEDED' }, 'a full account');
});

t.test('only a token with the scope is accepted', async (t) => {
  const account = await signIn(app);
  for (const headers of [{}, account.bearer, { authorization: 'a-token-of-zipline' }]) {
    t.match((await send(headers as Record<string, string>)).json(), {
      statusCode: 401,
      code: 'UNAUTHORIZED',
      error: /^The API token is missing, .* header Authorization\.$/,
    });
  }
  const reader = await createApiToken(app, account, ['images:read']);
  t.match((await send(reader.bearer)).json(), { statusCode: 403, code: 'SCOPE_NEEDED' });
  t.same(await listed(account), []);
});

t.test('what cannot be read is refused with a sentence', async (t) => {
  const { account, bare } = await start();
  const deletes = (value: string) => send({ ...bare, 'x-zipline-deletes-at': value });
  t.match((await deletes('soon')).json(), { statusCode: 400, error: /^"x-zipline-deletes-at" needs/ });
  t.match((await send({ ...bare, 'x-zipline-folder': 'clx1' })).json(), { statusCode: 404, error: /no such album/ });
  const foreign = await makeAlbum(await signIn(app));
  t.match((await send({ ...bare, 'x-zipline-folder': foreign })).json(), { statusCode: 404 });
  t.match((await send({ ...bare, 'content-range': 'bytes 0-9/20' })).json(), { statusCode: 400, error: /in pieces/ });
  t.match((await send(bare, [])).json(), { statusCode: 400 });
  t.match((await send(bare, [{ ...file, field: 'images' }])).json(), { code: 'NO_FILE', error: /"file"/ });
  const json = { method: 'POST', url: '/api/upload', headers: bare, payload: { file: 'a' } } as const;
  t.match((await app.inject(json)).json(), { statusCode: 400, error: /multipart\/form-data, in the field "file"/ });
  t.same(await listed(account), []);
});
