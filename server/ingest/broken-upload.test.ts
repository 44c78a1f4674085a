import { randomBytes } from 'node:crypto';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp, listen, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { form } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { openSocket } from '../testing/socket.ts';

const dataDir = await temporaryFolder(t);
/** Paths that the decoder started. */
const decoded: string[] = [];
const app = await buildTestApp(t, { dataDir });
app.decoder.subscribe({ onStarted: (path) => decoded.push(path) });
const origin = await listen(app);
const strictDir = await temporaryFolder(t);
const strict = await buildTestApp(t, { dataDir: strictDir, maxFiles: 3, maxFileSize: 100_000 });
const strictOrigin = await listen(strict);

const staged = async (folder = dataDir) => (await storedFiles(folder)).filter((path) => path.startsWith('staging'));

async function begin() {
  const account = await signIn(app);
  const total = async () => (await app.inject({ url: '/api/images/', headers: account.bearer })).json().total;
  return { account, total };
}

const headOf = (token: string, type: string, length: number) =>
  `POST /api/images/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

const post = (bearer: object, type: string, payload: string | Buffer) =>
  app.inject({ method: 'POST', url: '/api/images/upload', headers: { ...bearer, 'content-type': type }, payload });

t.test('a form with too many text fields names the fields', async (t) => {
  const { account } = await begin();
  const data = new FormData();
  for (let field = 0; field < 200; field += 1) data.append(`f${field}`, 'text');
  const encoded = new Response(data);
  const type = encoded.headers.get('content-type') ?? '';
  const answer = await post(account.bearer, type, Buffer.from(await encoded.arrayBuffer()));
  t.equal(answer.statusCode, 413);
  t.equal(answer.json().message, 'The form has too many fields: at most 100 besides the files.');
});

t.test('a request that breaks off leaves nothing behind, wherever it breaks', async (t) => {
  const { account, total } = await begin();
  const before = await storedFiles(dataDir);
  const photo = await noise(400, 300);
  const { headers, payload } = await form([1, 2, 3].map((index) => ({ name: `${index}.jpg`, bytes: photo })));
  for (const share of [0.01, 0.2, 0.34, 0.5, 0.67, 0.9, 0.999]) {
    const { socket, send } = await openSocket(origin);
    await send(headOf(account.token, headers['content-type'], payload.length));
    await send(payload.subarray(0, Math.floor(payload.length * share)));
    if (share > 0.01) await eventually('the upload is being staged', async () => (await staged()).length > 0);
    socket.destroy();
    await eventually('the staged files are removed', async () => (await staged()).length === 0);
    t.same(await storedFiles(dataDir), before);
    t.equal(await total(), 0, `broken at ${share * 100} %`);
  }
  t.equal((await post(account.bearer, headers['content-type'], payload)).statusCode, 201, 'the next upload works');
});

t.test('a truncated form answers 400 and leaves nothing behind', async (t) => {
  const { account, total } = await begin();
  const before = await storedFiles(dataDir);
  const { headers, payload } = await form([{ name: 'a.jpg', bytes: await noise(200, 200) }]);
  for (const end of [payload.length - 4, payload.length - 200, 120, 10]) {
    const answer = await post(account.bearer, headers['content-type'], payload.subarray(0, end));
    t.equal(answer.statusCode, 400, `cut at ${end}`);
    t.match(answer.json(), { code: 'BROKEN_UPLOAD', message: /Send it again/ });
  }
  t.equal(await total(), 0);
  t.same(await storedFiles(dataDir), before);
});

t.test('a malformed form answers 400 or 415, never 500', async (t) => {
  const { account } = await begin();
  const boundary = 'multipart/form-data; boundary=x';
  const cases: [string, string][] = [
    ['multipart/form-data', 'text'],
    ['multipart/form-data; boundary=', 'text'],
    [boundary, ''],
    [boundary, 'no boundary in here'],
    [boundary, '--x\r\n\r\n\r\n--x--\r\n'],
    [boundary, '--x\r\nContent-Disposition: form-data\r\n\r\nnameless\r\n--x--\r\n'],
    [
      boundary,
      `--x\r\nContent-Disposition: form-data; name="images"; filename="${'n'.repeat(200_000)}"\r\n\r\nx\r\n--x--\r\n`,
    ],
    [boundary, '--x\r\nContent-Disposition: form-data; name="__proto__"; filename="a.png"\r\n\r\nx\r\n--x--\r\n'],
    [boundary, '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--x--\r\n'],
    ['multipart/mixed; boundary=x', '--x--'],
    ['application/json', '{}'],
    ['text/plain', 'text'],
    ['image/png', 'bytes'],
  ];
  for (const [type, body] of cases) {
    const answer = await post(account.bearer, type, body);
    t.ok(
      answer.statusCode === 400 || answer.statusCode === 415,
      `${answer.statusCode} for ${type} ${body.slice(0, 60)}`,
    );
    t.same(Object.keys(answer.json()).sort(), ['code', 'error', 'message', 'statusCode']);
  }
  t.equal((await app.inject({ method: 'POST', url: '/api/images/upload', headers: account.bearer })).statusCode, 400);
});

t.test('a field that is declared as JSON and is no JSON answers 400', async (t) => {
  const { bearer } = await createApiToken(app, await signIn(app), ['images:upload']);
  const headers = { ...bearer, 'content-type': 'multipart/form-data; boundary=x' };
  const head = 'Content-Disposition: form-data; name="note"\r\nContent-Type: application/json';
  for (const url of ['/api/images/upload', '/api/upload', '/api/1/upload']) {
    for (const value of ['{bad', '{"__proto__":{}}', `"${'a'.repeat(70_000)}"`]) {
      const payload = `--x\r\n${head}\r\n\r\n${value}\r\n--x--\r\n`;
      const answer = await app.inject({ method: 'POST', url, headers, payload });
      const { code, error } = answer.json();
      t.same([answer.statusCode, code ?? error.code], [400, 'INVALID_REQUEST'], `${url} ${value.slice(0, 20)}`);
    }
  }
});

t.test('a form of ten thousand parts answers 413', async (t) => {
  const { account } = await begin();
  const part = (index: number) => `--x\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n1\r\n`;
  const body = `${Array.from({ length: 10_000 }, (_, index) => part(index)).join('')}--x--\r\n`;
  const answer = await post(account.bearer, 'multipart/form-data; boundary=x', body);
  t.equal(answer.statusCode, 413);
});

t.test('a client that sends too many files can read the 413 while it still sends', async (t) => {
  const account = await signIn(strict);
  const bytes = randomBytes(90_000);
  const { headers, payload } = await form(Array.from({ length: 90 }, (_, index) => ({ name: `${index}`, bytes })));
  const answer = await fetch(`${strictOrigin}/api/images/upload`, {
    method: 'POST',
    headers: { ...headers, ...account.bearer },
    body: payload,
  });
  t.equal(answer.status, 413);
  t.match(await answer.json(), { code: 'TOO_MANY_FILES' });
});

t.test('a file over the size limit is rejected and the other files are stored', async (t) => {
  const account = await signIn(strict);
  const good = await noise(80, 60);
  const { headers, payload } = await form([
    { name: 'first.jpg', bytes: good },
    { name: 'large.jpg', bytes: randomBytes(3_000_000) },
    { name: 'last.jpg', bytes: good },
  ]);
  const answer = await fetch(`${strictOrigin}/api/images/upload`, {
    method: 'POST',
    headers: { ...headers, ...account.bearer },
    body: payload,
  });
  t.equal(answer.status, 207);
  t.match(await answer.json(), {
    images: [{ filename: 'first.jpg' }, { filename: 'last.jpg' }],
    rejected: [{ filename: 'large.jpg', code: 'FILE_TOO_LARGE', message: /97\.7 KiB/ }],
  });
  t.same(await staged(strictDir), []);
});

t.test('pictures of a disconnected client are dropped from the decoder queue', async (t) => {
  const { account } = await begin();
  const blurred = '<rect width="600" height="600" filter="url(#f)"/>'.repeat(12);
  const slow = (index: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><filter id="f"><feGaussianBlur stdDeviation="60"/></filter>${blurred}<!--${index}--></svg>`;
  const { headers, payload } = await form(
    Array.from({ length: 90 }, (_, index) => ({ name: `${index}.svg`, bytes: slow(index) })),
  );
  decoded.length = 0;
  const { socket, send } = await openSocket(origin);
  await send(headOf(account.token, headers['content-type'], payload.length));
  await send(payload);
  await eventually('all 90 pictures are staged', async () => (await staged()).length === 90);
  socket.destroy();
  await eventually('the staged files are removed', async () => (await staged()).length === 0);
  const one = await form([{ name: 'a.jpg', bytes: await noise(20, 20) }]);
  const answer = await post(account.bearer, one.headers['content-type'], one.payload);
  t.equal(answer.statusCode, 201);
  t.ok(decoded.length < 90, `${decoded.length} of 91 pictures were decoded`);
});
