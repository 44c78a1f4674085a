import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import t from 'tap';
import { readConfig } from '../../config/read-config.ts';
import { Unauthorized } from '../../errors.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../../testing/app.ts';
import { partialBytes, watchFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise, picture } from '../../testing/pictures.ts';
import { openSocket } from '../../testing/socket.ts';
import {
  askOffset,
  askOutcome,
  cancelUpload,
  nameHeader,
  opened,
  openUpload,
  partHead,
  sendPart,
  tusHeaders,
} from '../../testing/tus.ts';
import { openUpload as insertUpload } from './queries.ts';
import { maxPiecesOf } from './uploads.ts';

const listed = async (app: Parameters<typeof askOutcome>[0], { bearer }: Parameters<typeof askOutcome>[1]) =>
  (await app.inject({ url: '/api/images/', headers: bearer })).json().images;

const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir });
const origin = await listen(app);
/** An app with a low quota and CORS. */
const limited = await buildTestApp(t, { quota: 1000, quotaImages: 3, corsOrigin: ['https://a.example'] });

t.test('a picture sent in three parts is stored unchanged, once', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const account = await signIn(app);
  const bytes = await noise(300, 200);
  const answer = await openUpload(app, account, bytes.length, nameHeader('größe "1".jpg'));
  t.equal(answer.statusCode, 201);
  t.equal(answer.headers['tus-resumable'], '1.0.0');
  t.ok(Date.parse(String(answer.headers['upload-expires'])) > Date.now() + 23 * 3_600_000);
  const path = String(answer.headers.location);
  for (const [from, to] of [
    [0, 1000],
    [1000, 5000],
  ] as const) {
    const part = await sendPart(app, account, path, from, bytes.subarray(from, to));
    t.equal(part.statusCode, 204);
    t.equal(part.headers['upload-offset'], String(to));
  }
  const half = await askOffset(app, account, path);
  t.equal(half.headers['upload-offset'], '5000');
  t.equal(half.headers['upload-length'], String(bytes.length));
  t.equal(half.headers['cache-control'], 'no-store');
  t.equal((await askOutcome(app, account, path)).json().state, 'receiving');
  t.equal((await askOffset(app, account, path.toUpperCase().replace('/API/UPLOADS', '/api/uploads'))).statusCode, 200);
  const last = await sendPart(app, account, path, 5000, bytes.subarray(5000));
  t.equal(last.statusCode, 204);
  t.equal(last.body, '');
  const outcome = (await askOutcome(app, account, path)).json();
  t.match(outcome, { state: 'stored', offset: bytes.length, rejected: null });
  t.match(outcome.image, { filename: 'größe "1".jpg', width: 300, height: 200, duplicate: false });
  t.ok((await app.inject(new URL(outcome.image.url).pathname)).rawPayload.equals(bytes));
  t.same(
    (await listed(app, account)).map(({ id }: { id: string }) => id),
    [outcome.image.id],
  );
  t.notMatch((await addedFiles()).join(' '), 'staging', 'no parts remain');
});

t.test('the response to the last part contains the outcome with Prefer: return=representation', async (t) => {
  const account = await signIn(app);
  const bytes = await picture();
  const path = await opened(app, account, bytes.length);
  const answer = await sendPart(app, account, path, 0, bytes, { prefer: 'return=representation' });
  t.equal(answer.statusCode, 200);
  t.equal(answer.headers['upload-offset'], String(bytes.length));
  t.match(answer.json(), { state: 'stored', image: { filename: 'a picture.png' } });
});

t.test('repeating the last part or requesting the outcome again stores nothing more', async (t) => {
  const account = await signIn(app);
  const bytes = await picture();
  const path = await opened(app, account, bytes.length);
  await sendPart(app, account, path, 0, bytes);
  const { image } = (await askOutcome(app, account, path)).json();
  const again = [
    sendPart(app, account, path, bytes.length, new Uint8Array()),
    sendPart(app, account, path, bytes.length, new Uint8Array()),
    askOffset(app, account, path),
  ];
  for (const answer of await Promise.all(again)) {
    t.ok([200, 204, 423].includes(answer.statusCode), String(answer.statusCode));
  }
  t.equal((await sendPart(app, account, path, 0, bytes)).statusCode, 409);
  t.equal((await askOutcome(app, account, path)).json().image.id, image.id);
  t.equal((await listed(app, account)).length, 1);
});

t.test('a client that can only POST names the method in X-HTTP-Method-Override', async (t) => {
  const account = await signIn(app);
  const bytes = await picture();
  const send = (path: string, method: string, headers: Record<string, string> = {}, body?: Uint8Array<ArrayBuffer>) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { ...tusHeaders, ...account.bearer, 'x-http-method-override': method, ...headers },
      ...(body && { body }),
    });
  const path = await opened(app, account, bytes.length);
  const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const sent = await send(path, 'PATCH', part, new Uint8Array(bytes));
  t.same([sent.status, sent.headers.get('upload-offset')], [204, String(bytes.length)]);
  const head = await send(path, 'head');
  t.same([head.status, await head.text(), head.headers.get('upload-offset')], [200, '', String(bytes.length)]);
  t.equal((await send(await opened(app, account, 10), 'DELETE')).status, 204);
  t.equal((await send('/api/uploads', 'OPTIONS')).status, 204);
  t.equal((await send(path, 'PUT')).status, 404);
  t.equal((await send('/api/albums', 'GET')).status, 400, 'elsewhere the header has no effect');
});

t.test('a part with a wrong offset answers 409 and changes nothing', async (t) => {
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  await sendPart(app, account, path, 0, Buffer.alloc(10));
  for (const offset of [0, 9, 11, 100]) {
    const answer = await sendPart(app, account, path, offset, Buffer.alloc(10));
    t.equal(answer.statusCode, 409);
    t.equal(answer.json().code, 'OFFSET_MISMATCH');
  }
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '10');
});

t.test('invalid uploads and parts answer with a status and code', async (t) => {
  const tooLarge = readConfig({}).maxFileSize + 1;
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  const part = (headers: Record<string, string>) => sendPart(app, account, path, 0, Buffer.alloc(10), headers);
  for (const [status, code, answer] of [
    [413, 'FILE_TOO_LARGE', openUpload(app, account, tooLarge)],
    [422, 'EMPTY_FILE', openUpload(app, account, 0)],
    [400, 'INVALID_REQUEST', openUpload(app, account, '-1')],
    [400, 'INVALID_REQUEST', openUpload(app, account, '1e3')],
    [400, 'INVALID_REQUEST', openUpload(app, account, 10, { 'upload-metadata': 'filename a%' })],
    [400, 'INVALID_REQUEST', openUpload(app, account, 10, { 'upload-length': '', 'upload-defer-length': '1' })],
    [412, 'UNKNOWN_PROTOCOL_VERSION', openUpload(app, account, 10, { 'tus-resumable': '0.2.2' })],
    [412, 'UNKNOWN_PROTOCOL_VERSION', part({ 'tus-resumable': '2.0.0' })],
    [415, 'NOT_A_PART', part({ 'content-type': 'image/png' })],
    [400, 'INVALID_REQUEST', part({ 'upload-offset': 'x' })],
    [413, 'PART_TOO_LONG', sendPart(app, account, path, 0, Buffer.alloc(101))],
  ] as const) {
    const { statusCode, body } = await answer;
    t.match({ statusCode, code: JSON.parse(body).code }, { statusCode: status, code }, code);
  }
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '0');
});

t.test('a part beyond the maximum number of parts answers 413', async (t) => {
  const account = await signIn(app);
  const path = await opened(app, account, 1000);
  const send = (offset: number) => sendPart(app, account, path, offset, Buffer.alloc(1));
  for (const offset of [0, 1]) t.equal((await send(offset)).statusCode, 204);
  const ofUpload = sql`id = ${idOf(path)}`;
  const [row] = await app.db.execute(sql`select cardinality(pieces) as pieces from uploads where ${ofUpload}`);
  t.equal(row?.pieces, 2, 'one for each part');
  // As if all parts but one were sent.
  const repeated = maxPiecesOf(1000) - 2;
  await app.db.execute(sql`
    update uploads set pieces = array_fill(pieces[1], array[${repeated}::int]) || pieces[2] where ${ofUpload}`);
  t.equal((await send(2)).statusCode, 204);
  const refused = await send(3);
  t.match({ statusCode: refused.statusCode, ...refused.json() }, { statusCode: 413, code: 'TOO_MANY_PARTS' });
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '3', 'the received bytes remain');
});

t.test('an empty part leaves no file on the disk', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  for (const offset of [0, 0, 10, 10]) {
    t.equal((await sendPart(app, account, path, offset, new Uint8Array())).statusCode, offset === 0 ? 204 : 409);
  }
  t.same(await addedFiles(), []);
  await sendPart(app, account, path, 0, Buffer.alloc(10));
  t.equal((await sendPart(app, account, path, 10, new Uint8Array())).statusCode, 204);
  t.equal((await addedFiles()).length, 1);
});

t.test('a part without Content-Length that exceeds the upload answers 413 and is discarded', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.alloc(60));
      controller.enqueue(Buffer.alloc(60));
      controller.close();
    },
  });
  const headers = { ...tusHeaders, ...account.bearer, 'content-type': 'application/offset+octet-stream' };
  const answer = await fetch(origin + path, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0' },
    body: chunks,
    duplex: 'half',
  } as RequestInit);
  t.equal(answer.status, 413);
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '0');
  t.same(await addedFiles(), []);
});

t.test('an upload of another account answers 404 to every method', async (t) => {
  const [account, other] = [await signIn(app), await signIn(app)];
  const path = await opened(app, account, 100);
  await sendPart(app, account, path, 0, Buffer.alloc(10));
  for (const url of [path, path.replace(/.{4}$/, '0000'), '/api/uploads/nonsense']) {
    const answers = [
      askOffset(app, other, url),
      askOutcome(app, other, url),
      sendPart(app, other, url, 10, Buffer.alloc(10)),
      cancelUpload(app, other, url),
    ];
    for (const answer of await Promise.all(answers)) t.equal(answer.statusCode, 404);
  }
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '10');
  const nobody = { bearer: { authorization: '' } };
  t.equal((await askOffset(app, nobody, path)).statusCode, 401);
  t.equal((await openUpload(app, nobody, 10)).statusCode, 401);
});

t.test('an upload continues from the bytes received before a lost connection', async (t) => {
  const account = await signIn(app);
  const bytes = await noise(400, 300, 'png');
  const path = await opened(app, account, bytes.length);
  const { socket, send } = await openSocket(origin);
  await send(partHead(account, path, 0, bytes.length));
  await send(bytes.subarray(0, 70_000));
  await send(bytes.subarray(70_000, 100_000));
  await eventually('100,000 bytes are stored', async () => (await partialBytes(dataDir, idOf(path))) === 100_000);
  socket.destroy();
  const { headers } = await askOffset(app, account, path);
  t.equal(headers['upload-offset'], '100000');
  await sendPart(app, account, path, 100_000, bytes.subarray(100_000));
  const { image } = (await askOutcome(app, account, path)).json();
  t.ok((await app.inject(new URL(image.url).pathname)).rawPayload.equals(bytes));
});

t.test('a concurrent part answers 423, and a HEAD request aborts the part in progress', async (t) => {
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  const { send, received } = await openSocket(origin);
  await send(partHead(account, path, 0, 100));
  await send(Buffer.alloc(40));
  await eventually('40 bytes are stored', async () => (await partialBytes(dataDir, idOf(path))) === 40);
  const second = await sendPart(app, account, path, 0, Buffer.alloc(100));
  t.equal(second.json().code, 'UPLOAD_LOCKED');
  const { headers } = await askOffset(app, account, path);
  t.equal(headers['upload-offset'], '40');
  await received;
  t.equal((await sendPart(app, account, path, 40, Buffer.alloc(20))).headers['upload-offset'], '60');
});

t.test('a file that is not a picture is refused after its last part, also in later outcomes', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const account = await signIn(app);
  const path = await opened(app, account, 100, 'notes.txt');
  const prefer = { prefer: 'return=representation' };
  const answer = await sendPart(app, account, path, 0, Buffer.alloc(100, 'x'), prefer);
  t.match(answer.json(), {
    state: 'refused',
    image: null,
    rejected: { filename: 'notes.txt', code: 'NOT_AN_IMAGE', message: /not an image/ },
  });
  t.same((await askOutcome(app, account, path)).json(), answer.json());
  t.same(await addedFiles(), []);
});

t.test('both upload APIs mark a picture that the account already has as duplicate', async (t) => {
  const account = await signIn(app);
  const bytes = await picture();
  const [first] = await storeFiles(app, account, [{ name: 'a.png', bytes }]);
  const [second] = await storeFiles(app, account, [{ name: 'b.png', bytes }]);
  t.same([first?.duplicate, second?.duplicate], [false, true]);
  const path = await opened(app, account, bytes.length);
  await sendPart(app, account, path, 0, bytes);
  t.equal((await askOutcome(app, account, path)).json().image.duplicate, true);
  const other = await signIn(app);
  const [theirs] = await storeFiles(app, other, [{ name: 'a.png', bytes }]);
  t.equal(theirs?.duplicate, false, 'pictures of other accounts are not revealed');
});

t.test('cancelling removes an open upload with its bytes, and keeps a stored image', async (t) => {
  const addedFiles = await watchFiles(dataDir);
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  await sendPart(app, account, path, 0, Buffer.alloc(10));
  t.match((await addedFiles()).join(), 'staging');
  t.equal((await cancelUpload(app, account, path)).statusCode, 204);
  t.equal((await askOffset(app, account, path)).statusCode, 404);
  t.same(await addedFiles(), []);
  const bytes = await picture();
  const whole = await opened(app, account, bytes.length);
  await sendPart(app, account, whole, 0, bytes);
  await cancelUpload(app, account, whole);
  t.equal((await listed(app, account)).length, 1);
});

t.test('open uploads count against the quota with their full size', async (t) => {
  const account = await signIn(limited);
  const first = await opened(limited, account, 600);
  const answer = await openUpload(limited, account, 600);
  t.equal(answer.statusCode, 413);
  t.equal(answer.json().code, 'QUOTA_EXCEEDED');
  await cancelUpload(limited, account, first);
  for (let count = 0; count < 3; count += 1) await opened(limited, account, 10);
  t.equal((await openUpload(limited, account, 10)).json().code, 'QUOTA_EXCEEDED');
});

t.test('open uploads of one account do not block another account while the disk has room', async (t) => {
  const [first, second] = [await signIn(app), await signIn(app)];
  const { partials } = app.storage;
  const { room } = partials;
  t.teardown(() => {
    partials.room = room;
  });
  partials.room = async () => 3_000_000;
  await opened(app, first, 1_000_000);
  t.match((await openUpload(app, first, 1_100_000)).json(), { statusCode: 507, code: 'NO_SPACE' });
  t.equal((await openUpload(app, second, 1_100_000)).statusCode, 201);
});

t.test('only the newest 1000 decided uploads of an account are kept', async (t) => {
  const account = await signIn(app);
  await app.db.execute(sql`
    insert into uploads (id, owner_id, filename, size, received, refusal, expires_at)
    select gen_random_uuid(), ${account.id}, n::text, 1, 1, '{"code":"A","message":"b"}'::jsonb,
      now() + n * interval '1 minute' from generate_series(1, 1010) n`);
  await opened(app, account, 10, 'open');
  const names = await app.db.execute<{ filename: string }>(
    sql`select filename from uploads where owner_id = ${account.id}`,
  );
  t.equal(names.length, 1001);
  t.ok(names.some(({ filename }) => filename === 'open'));
  t.notOk(names.some(({ filename }) => Number(filename) <= 10));
});

t.test('an upload cannot be opened for a deleted account', async (t) => {
  const row = { id: randomUUID(), ownerId: randomUUID(), tokenId: null, albumId: null, filename: 'a', size: 1 };
  await t.rejects(
    insertUpload(app.db, row, () => undefined),
    new Unauthorized(),
  );
});

t.test('an account with 200 open uploads gets 429 for another one', async (t) => {
  const account = await signIn(app);
  await app.db.execute(sql`
    insert into uploads (id, owner_id, filename, size, expires_at)
    select gen_random_uuid(), ${account.id}, 'a', 10, now() + interval '1 hour' from generate_series(1, 199)`);
  await opened(app, account, 10);
  const answer = await openUpload(app, account, 10);
  t.equal(answer.statusCode, 429);
  t.ok(answer.headers['retry-after']);
  t.equal(answer.json().code, 'TOO_MANY_UPLOADS');
});

t.test('OPTIONS reports the tus versions and extensions, and CORS allows the tus headers', async (t) => {
  for (const asked of [app, limited]) {
    const options = await asked.inject({ method: 'OPTIONS', url: '/api/uploads' });
    t.equal(options.statusCode, 204);
    t.match(options.headers, { 'tus-version': '1.0.0', 'tus-extension': /creation/, 'tus-max-size': /^\d+$/ });
  }
  const stranger = { origin: 'https://b.example', 'access-control-request-method': 'PATCH' };
  const refused = await limited.inject({ method: 'OPTIONS', url: '/api/uploads', headers: stranger });
  t.equal(refused.headers['access-control-allow-origin'], undefined);
  const preflight = await limited.inject({
    method: 'OPTIONS',
    url: '/api/uploads',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'PATCH' },
  });
  t.match(preflight.headers['access-control-allow-methods'], 'PATCH');
  for (const name of ['tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset', 'prefer']) {
    t.match(preflight.headers['access-control-allow-headers'], name);
  }
  const account = await signIn(limited);
  const { headers } = await openUpload(limited, account, 10, { origin: 'https://a.example' });
  for (const name of ['location', 'upload-offset']) t.match(headers['access-control-expose-headers'], name);
});

t.test('a part from another origin with only the cookie answers 403', async (t) => {
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  const answer = await app.inject({
    method: 'PATCH',
    url: path,
    headers: {
      ...tusHeaders,
      cookie: account.cookie,
      origin: 'https://evil.example',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
    },
    payload: Buffer.alloc(100),
  });
  t.equal(answer.statusCode, 403);
  t.equal((await askOffset(app, account, path)).headers['upload-offset'], '0');
});
