/** Links never reveal the location or serial numbers of a photograph. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import t from 'tap';
import type { Image, ImagePage } from '../contract.ts';
import type { DecoderPool } from '../decoder/pool/pool.ts';
import { noExiftool, readTags, telling } from '../decoder/testing/exiftool.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { placed, unreadable } from '../testing/pictures.ts';
import { watchDecoder } from '../testing/watched-decoder.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (url: string) => new URL(url).pathname;

const config = await testConfig(t);
// The files decoded since the last upload.
const { decoder, decoded } = watchDecoder();
const app = await buildTestApp(t, { ...config, options: { decoder } });
const bytes = await placed();
const strange = await unreadable();

type Stage = { account: TestAccount; image: Image; link: string; own(): Promise<Buffer> };

/** Creates an account with one image. */
async function openStage(bytes: Buffer, server: FastifyInstance = app): Promise<Stage> {
  const account = await signIn(server);
  const [image] = await storeFiles(server, account, [{ name: 'photo.jpg', bytes }]);
  if (!image) throw new Error('nothing was stored');
  decoded.length = 0;
  const own = async () =>
    (await server.inject({ url: `/api/images/${image.id}/original`, headers: account.bearer })).rawPayload;
  return { account, image, link: pathOf(image.url), own };
}

async function listed({ account }: Stage): Promise<Image | undefined> {
  const answer = await app.inject({ url: '/api/images/', headers: account.bearer });
  return answer.json<ImagePage>().images[0];
}

/** Resets a row to that of an earlier version. Must run before the server caches it. */
const forget = ({ image }: Stage) =>
  app.db.execute(sql`update images set traces = null, redaction = null where id = ${image.id}`);

/** Changes a byte near the end of the stored original. */
async function damage({ image }: Stage): Promise<void> {
  const isOriginal = (file: string) => file.startsWith('originals') && file.includes(image.id);
  const file = (await storedFiles(config.dataDir)).find(isOriginal);
  if (!file) throw new Error('the original is missing');
  const path = join(config.dataDir, 'files', file);
  const stored = await readFile(path);
  stored[stored.length - 5] = (stored[stored.length - 5] ?? 0) ^ 1;
  await writeFile(path, stored);
}

t.test('the owner sees the camera of a picture, and the link omits its serial number', async (t) => {
  const stage = await openStage(bytes);
  t.equal(stage.image.camera, 'Acme Pocket 1', 'in the upload response');
  t.match(await listed(stage), { camera: 'Acme Pocket 1', location: 'removed' }, 'in the list');
  const open = (await app.inject(stage.link)).rawPayload.toString('latin1');
  t.notOk(open.includes('SN-4711-0815'));
  const [again] = await storeFiles(app, stage.account, [{ name: 'again.jpg', bytes: await stage.own() }]);
  t.match(again, { camera: 'Acme Pocket 1', duplicate: true }, 'a duplicate has the same camera');
});

t.test('the link serves the picture without its location, and the owner gets every byte', async (t) => {
  const { image, link, own } = await openStage(bytes);
  t.equal(image.location, 'removed', 'in the upload response');
  const answer = await app.inject(link);
  t.equal(answer.statusCode, 200);
  const open = answer.rawPayload;
  t.equal(open.length, bytes.length);
  t.notOk(open.equals(bytes));
  t.notOk(open.includes('SN-4711-0815'));
  t.match(answer.headers, {
    'content-type': 'image/jpeg',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    etag: /^"public-[\w-]{32}"$/,
    'content-security-policy': /sandbox/,
  });
  const pixels = (jpeg: Buffer) => sharp(jpeg).raw().toBuffer();
  t.ok((await pixels(open)).equals(await pixels(bytes)), 'the same pixels, not encoded again');
  t.equal(sha256(await own()), sha256(bytes));
});

t.test('exiftool finds no location and no serial number in public bytes', { skip: noExiftool }, async (t) => {
  const { image, link } = await openStage(bytes);
  const served = new Map([
    ['before.jpg', bytes],
    ['link.jpg', (await app.inject(link)).rawPayload],
    ['thumbnail.webp', (await app.inject(pathOf(image.thumbnail_url))).rawPayload],
  ]);
  const tags = await readTags(served);
  t.ok(telling(tags.get('before.jpg')).length >= 5, 'the original contains them');
  t.same(telling(tags.get('link.jpg')), []);
  t.same(telling(tags.get('thumbnail.webp')), []);
  const make = tags.get('link.jpg')?.find(({ name }) => name === 'Make');
  t.equal(make?.value, 'Acme', 'other metadata stays');
});

t.test('no response confirms a guess of the redacted location', async (t) => {
  const { account, image, link } = await openStage(bytes);
  const other = await signIn(app);
  const [theirs] = await storeFiles(app, other, [{ name: 'guess.jpg', bytes }]);
  t.equal(theirs?.duplicate, false, 'the right guess uploaded by another account is not a duplicate');
  t.not(theirs?.url, image.url);

  const made = await app.inject({
    method: 'POST',
    url: '/api/albums',
    payload: { name: 'a' },
    headers: account.bearer,
  });
  const album = `/api/albums/${made.json().album.id}`;
  await app.inject({ method: 'POST', url: `${album}/images`, payload: { ids: [image.id] }, headers: account.bearer });
  const shared = await app.inject({ method: 'POST', url: `${album}/link`, headers: account.bearer });
  const answers = [
    await app.inject(link),
    await app.inject({ url: link, headers: { range: 'bytes=0-9' } }),
    await app.inject({ method: 'HEAD', url: link }),
    await app.inject(pathOf(image.thumbnail_url)),
    await app.inject(pathOf(shared.json().url)),
  ];
  // The attack: only the location is unknown, so a guess can be hashed and compared.
  const guess = createHash('sha256').update(bytes);
  const checksums = [guess.copy().digest('hex'), guess.copy().digest('base64'), guess.digest('base64url')];
  const md5 = createHash('md5').update(bytes).digest('hex');
  for (const answer of answers) {
    t.equal(Math.floor(answer.statusCode / 100), 2);
    const answered = JSON.stringify(answer.headers) + answer.rawPayload.toString('latin1');
    for (const digest of [...checksums, md5]) t.notOk(answered.includes(digest.slice(0, 12)), digest);
  }
  const right = `"${checksums[0]}"`;
  t.equal((await app.inject({ url: link, headers: { 'if-none-match': right } })).statusCode, 200);
});

t.test('the ETag of a redacted original survives a restart and changes with the secret', async (t) => {
  const { link } = await openStage(bytes);
  const tagAt = async (server: FastifyInstance) => String((await server.inject(link)).headers.etag);
  const tag = await tagAt(app);
  t.equal(await tagAt(await buildTestApp(t, config)), tag);
  const jwtSecret = 'another secret, of at least 32 characters';
  t.not(await tagAt(await buildTestApp(t, { ...config, jwtSecret })), tag);
});

t.test('ranges and conditional requests of a redacted original use the redacted bytes', async (t) => {
  const { link } = await openStage(bytes);
  const whole = await app.inject(link);
  const { etag } = whole.headers;
  for (let start = 0; start < 700; start += 37) {
    const answer = await app.inject({ url: link, headers: { range: `bytes=${start}-${start + 99}` } });
    t.equal(answer.statusCode, 206);
    t.ok(answer.rawPayload.equals(whole.rawPayload.subarray(start, start + 100)), `from ${start}`);
  }
  const get = (headers: Record<string, string>) => app.inject({ url: link, headers });
  t.equal((await get({ 'if-none-match': String(etag) })).statusCode, 304);
  t.equal(
    (await get({ 'if-none-match': `"${sha256(bytes)}"` })).statusCode,
    200,
    'the ETag of the original does not match',
  );
  t.equal((await get({ range: 'bytes=0-9', 'if-range': `"${sha256(bytes)}"` })).statusCode, 200);
  const head = await app.inject({ method: 'HEAD', url: link });
  t.match(head, { statusCode: 200, body: '' });
  t.match(head.headers, { etag, 'content-length': String(bytes.length) });
});

t.test('a changed redaction changes the ETag, so caches and ranges do not mix versions', async (t) => {
  const { image, link } = await openStage(bytes);
  const before = await app.inject(link);
  const get = (headers: Record<string, string>) => app.inject({ url: link, headers });
  const etag = String(before.headers.etag);
  t.equal((await get({ range: 'bytes=0-9', 'if-range': etag })).statusCode, 206);
  await app.db.execute(
    sql`update images set redaction = redaction || '[{"at": 700, "length": 9, "fill": 0}]'::jsonb where id = ${image.id}`,
  );
  await eventually(
    'the changed redaction reaches the server',
    async () => (await get({ 'if-none-match': etag })).statusCode === 200,
  );
  const after = await get({ 'if-none-match': etag });
  t.equal(after.statusCode, 200);
  t.not(after.headers.etag, etag);
  t.notOk(after.rawPayload.equals(before.rawPayload));
  t.equal((await get({ range: 'bytes=0-9', 'if-range': etag })).statusCode, 200);
});

t.test('with STRIP_LOCATION=off the link serves every byte and the location is "kept"', async (t) => {
  const keeping = await buildTestApp(t, { stripLocation: 'off' });
  const { image, link } = await openStage(bytes, keeping);
  t.equal(image.location, 'kept');
  const answer = await keeping.inject(link);
  t.equal(sha256(answer.rawPayload), sha256(bytes));
  t.equal(answer.headers.etag, `"${sha256(bytes)}"`);
});

t.test(
  'a link whose location cannot be removed answers 403, and renditions and the owner’s original are served',
  async (t) => {
    const { image, link, own } = await openStage(strange);
    t.equal(image.location, 'withheld');
    for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }] as Record<string, string>[]) {
      const answer = await app.inject({ url: link, headers });
      t.match(answer.json(), { statusCode: 403, code: 'LOCATION_WITHHELD' });
      t.equal(answer.headers['cache-control'], 'no-store');
      t.notOk(answer.headers.etag);
    }
    t.match(await app.inject({ method: 'HEAD', url: link }), { statusCode: 403, body: '' });
    const shown = await app.inject(pathOf(image.screen_url));
    t.match(await sharp(shown.rawPayload).metadata(), { format: 'webp', width: 400, height: 300 });
    t.equal(sha256(await own()), sha256(strange));
  },
);

t.test('an original of an earlier version is inspected once, at the first request of its link', async (t) => {
  const before = (await app.inject((await openStage(bytes)).link)).rawPayload;
  const stage = await openStage(bytes);
  const { link } = stage;
  await forget(stage);
  t.equal((await listed(stage))?.location, 'removed', 'reported before the inspection');
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject(link)));
  for (const answer of answers) t.ok(answer.rawPayload.equals(before));
  t.equal(decoded.length, 1);
  await app.inject(link);
  t.equal(decoded.length, 1, 'the result is stored');
});

t.test(
  'an original of an earlier version that cannot be redacted answers 403 and gets a screen rendition',
  async (t) => {
    const stage = await openStage(strange);
    await forget(stage);
    await app.db.execute(sql`update images set has_screen = false, screen_sha256 = null where id = ${stage.image.id}`);
    t.equal((await app.inject(stage.link)).statusCode, 403);
    const image = await listed(stage);
    t.equal(image?.location, 'withheld');
    t.equal((await app.inject(pathOf(image?.screen_url ?? ''))).headers['content-type'], 'image/webp');
  },
);

t.test('a link whose original cannot be inspected is refused', async (t) => {
  const stage = await openStage(bytes);
  await forget(stage);
  // A decoder that refuses this size.
  const poor: DecoderPool = {
    decode: async () => ({ ok: false, failure: { code: 'TOO_MANY_PIXELS', detail: '' } }),
    close: async () => undefined,
  };
  const other = await buildTestApp(t, { ...config, options: { decoder: poor } });
  t.match((await other.inject(stage.link)).json(), { statusCode: 403, code: 'LOCATION_WITHHELD' });
  await damage(stage);
  t.match((await app.inject(stage.link)).json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
  t.equal(decoded.length, 0, 'a damaged original is not inspected');
});

t.test('a link answers 403 if the row lacks the ranges to redact', async (t) => {
  const { image, link } = await openStage(bytes);
  await app.db.execute(sql`update images set redaction = null where id = ${image.id}`);
  t.equal((await app.inject(link)).statusCode, 403);
});

t.test('a damaged original that would be redacted answers 500', async (t) => {
  const stage = await openStage(bytes);
  await damage(stage);
  t.match((await app.inject(stage.link)).json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
});
