/** Sealed storage: what is hidden from anyone with access to the files, and what is served. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import t from 'tap';
import type { Image } from '../contract.ts';
import { SEGMENT_SIZE } from '../storage/sealed/open-sealed.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, listen, type TestOptions, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise, placed } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';

const pathOf = (url: string) => new URL(url).pathname;

const database = await createTestDatabase(t);
const dataDir = await temporaryFolder(t);

/** Starts a server of the gallery without a cache. */
const openGallery = (options: TestOptions = {}) =>
  buildTestApp(t, { databaseUrl: database.url, dataDir, cacheSize: 0, ...options });

async function store(app: FastifyInstance, account: TestAccount, bytes: Buffer, name = 'name-of-a-picture.png') {
  const [image] = await storeFiles(app, account, [{ name, bytes }]);
  if (!image) throw new Error('nothing was stored');
  return image;
}

const headsOf = (app: FastifyInstance, { url, thumbnail_url }: Image) =>
  Promise.all(
    [url, thumbnail_url].map(async (link) => {
      const { headers } = await app.inject({ method: 'HEAD', url: pathOf(link) });
      return [headers.etag, headers['content-length'], headers['content-type']];
    }),
  );

async function fileOf({ id }: Image, folder: string): Promise<string> {
  const [path, ...others] = (await storedFiles(dataDir)).filter((key) => key.startsWith(folder) && key.includes(id));
  if (!path || others.length > 0) throw new Error(`not one file in ${folder}`);
  return join(dataDir, 'files', path);
}

const small = await noise(120, 90);
/** Of three segments. */
const large = await noise(500, 400, 'png');

// The gallery begins without a key.
const plain = await openGallery();
const early = await store(plain, await signIn(plain), small, 'early.jpg');
const earlyHeads = await headsOf(plain, early);
await plain.close();
const app = await openGallery({ encryptionKey: randomBytes(32) });

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at).finally(() => file.close());
}

t.test('nothing of a picture or its name is readable in the storage', async (t) => {
  const tiff = await noise(400, 300, 'tiff');
  const image = await store(app, await signIn(app), tiff, 'name-of-a-picture.tiff');
  const seen = await Promise.all(
    [image.thumbnail_url, image.screen_url].map(async (url) => (await app.inject(pathOf(url))).rawPayload),
  );
  for (const folder of ['originals', 'thumbnails', 'screens']) await t.resolves(fileOf(image, folder), folder);
  for (const path of await storedFiles(dataDir)) {
    const stored = await readFile(join(dataDir, 'files', path));
    t.notOk(stored.includes('name-of-a-picture'), path);
    for (const plain of [tiff, ...seen]) {
      for (let at = 0; at < plain.length - 16; at += 997) {
        if (stored.includes(plain.subarray(at, at + 16))) t.fail(`${path} has 16 bytes of a picture`);
      }
    }
  }
  t.ok((await app.inject(pathOf(image.url))).rawPayload.equals(tiff), 'its link serves the original bytes');
});

t.test('size, ETag and headers are the same for sealed and plain pictures', async (t) => {
  const sealed = await store(app, await signIn(app), small, 'early.jpg');
  t.same(await headsOf(app, sealed), earlyHeads);
  t.same([sealed.size, early.size], [small.length, small.length]);
});

/** Positions of the flipped bit in a sealed object, negative from its end. */
const regions: Record<string, number> = {
  'the magic': 0,
  'the size of its segments': 9,
  'the slot in use': 16,
  'the id of its key': 25,
  'its wrapped key': 50,
  "the slot's tag": 95,
  'the header of the stream': 176,
  'the salt': 190,
  'the prefix of the nonces': 212,
  'the first segment': 300,
  "the first segment's tag": 176 + SEGMENT_SIZE - 3,
  'a segment in the middle': 176 + SEGMENT_SIZE + 777,
  'the last segment': -600,
  'its tag': -1,
};

t.test('a bit flipped anywhere in a sealed original is detected, and damaged bytes are never served', async (t) => {
  t.ok(large.length > 2 * SEGMENT_SIZE + 1000);
  const origin = await listen(app);
  const account = await signIn(app);
  const image = await store(app, account, large);
  const path = await fileOf(image, 'originals');
  const whole = await readFile(path);
  for (const [region, at] of Object.entries(regions)) {
    await writeFile(path, whole);
    t.ok((await app.inject(pathOf(image.url))).rawPayload.equals(large));
    await flip(path, at < 0 ? whole.length + at : at);
    // The first full read may send only the bytes before the damage.
    const got: Uint8Array[] = [];
    await t.rejects(async () => {
      const answer = await fetch(origin + pathOf(image.url));
      for await (const chunk of answer.body ?? []) got.push(chunk);
      if (answer.status === 500) throw Object.assign(new Error(), Object(JSON.parse(Buffer.concat(got).toString())));
    }, region);
    const sent = Buffer.concat(got);
    if (!sent.includes('DAMAGED_ORIGINAL')) t.ok(sent.equals(large.subarray(0, sent.length)), region);
    for (const headers of [{}, { range: 'bytes=0-99' }, { range: 'bytes=-10' }]) {
      for (const [url, permission] of [
        [pathOf(image.url), {}],
        [`/api/images/${image.id}/original`, account.bearer],
      ] as const) {
        const answer = await app.inject({ url, headers: { ...headers, ...permission } });
        t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' }, region);
      }
    }
  }
});

t.test('a bit flipped anywhere in a sealed rendition causes a sealed rebuild', async (t) => {
  const image = await store(app, await signIn(app), small);
  const path = await fileOf(image, 'thumbnails');
  const { rawPayload } = await app.inject(pathOf(image.thumbnail_url));
  const whole = await readFile(path);
  for (const [region, at] of Object.entries(regions)) {
    const place = at < 0 ? whole.length + at : at;
    if (place >= whole.length) continue;
    await flip(path, place);
    const answer = await app.inject(pathOf(image.thumbnail_url));
    t.equal(answer.statusCode, 200, region);
    t.ok(answer.rawPayload.equals(rawPayload), region);
    t.notOk((await readFile(path)).includes(rawPayload.subarray(40, 80)));
    t.equal((await readFile(path)).length, whole.length);
  }
});

t.test('no rendition is made from a damaged sealed original', async (t) => {
  const image = await store(app, await signIn(app), small);
  await flip(await fileOf(image, 'originals'), 1000);
  await rm(await fileOf(image, 'thumbnails'));
  const answer = await app.inject(pathOf(image.thumbnail_url));
  t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
});

t.test('a sealed original that is truncated, extended or swapped is refused', async (t) => {
  const uncompressed = async () =>
    sharp(await noise(500, 400))
      .tiff({ compression: 'none' })
      .toBuffer();
  const account = await signIn(app);
  const one = await store(app, account, await uncompressed(), 'a.tiff');
  const other = await store(app, account, await uncompressed(), 'b.tiff');
  t.equal(one.size, other.size);
  const [path, otherPath] = [await fileOf(one, 'originals'), await fileOf(other, 'originals')];
  const refused = async (what: string, { url }: Image) => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      // The connection is cut if a part was already sent.
      const answer = await app.inject({ url: pathOf(url), headers }).catch(() => undefined);
      if (answer) t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' }, what);
      else t.notOk('range' in headers, what);
    }
  };
  const [a, b] = [await readFile(path), await readFile(otherPath)];
  for (const left of [0, 7, 16, 100, 176, 216, 176 + SEGMENT_SIZE, 176 + 2 * SEGMENT_SIZE, a.length - 1]) {
    await writeFile(path, a.subarray(0, left));
    await refused(`cut off at ${left}`, one);
  }
  await writeFile(path, Buffer.concat([a, Buffer.alloc(16)]));
  await refused('longer', one);
  await writeFile(path, b);
  await writeFile(otherPath, a);
  await refused('another', one);
  await refused('another', other);
  await writeFile(path, a);
  t.equal((await app.inject(pathOf(one.url))).statusCode, 200, 'served again after it is restored');
});

t.test('a range across any segment boundary has the right bytes', async () => {
  const bytes = large;
  const account = await signIn(app);
  const image = await store(app, account, bytes);
  const near = fc
    .tuple(fc.nat(Math.floor(bytes.length / SEGMENT_SIZE)), fc.integer({ min: -300, max: 300 }))
    .map(([segment, beside]) => Math.min(bytes.length - 1, Math.max(0, segment * SEGMENT_SIZE + beside)));
  const place = fc.oneof(near, fc.nat(bytes.length - 1));
  await fc.assert(
    fc.asyncProperty(place, place, fc.boolean(), async (one, other, own) => {
      const [start, end] = one < other ? [one, other] : [other, one];
      const url = own ? `/api/images/${image.id}/original` : pathOf(image.url);
      const answer = await app.inject({ url, headers: { range: `bytes=${start}-${end}`, ...account.bearer } });
      return answer.statusCode === 206 && answer.rawPayload.equals(bytes.subarray(start, end + 1));
    }),
    { numRuns: 33 },
  );
});

t.test('the location in a sealed original is redacted in every response', async (t) => {
  const bytes = await placed();
  const account = await signIn(app);
  const image = await store(app, account, bytes, 'placed.jpg');
  const whole = async (url: string) => (await app.inject({ url, headers: account.bearer })).rawPayload;
  const first = await whole(pathOf(image.url));
  t.equal(first.length, bytes.length);
  t.notOk(first.equals(bytes));
  t.ok((await whole(`/api/images/${image.id}/original`)).equals(bytes));
  t.ok((await whole(pathOf(image.url))).equals(first));
  const at = first.findIndex((byte, index) => byte !== bytes[index]);
  const headers = { range: `bytes=${at - 1}-${at + 9}` };
  const part = await app.inject({ url: pathOf(image.url), headers });
  t.ok(part.rawPayload.equals(first.subarray(at - 1, at + 10)));
});

t.test('plain and sealed pictures are served together', async (t) => {
  const bytes = await noise(120, 90);
  const fresh = await store(app, await signIn(app), bytes, 'late.jpg');
  t.ok((await app.inject(pathOf(early.url))).rawPayload.equals(small));
  t.ok((await app.inject(pathOf(fresh.url))).rawPayload.equals(bytes));
  t.equal((await app.inject(pathOf(early.thumbnail_url))).statusCode, 200);
  const isSealed = async (image: Image) => (await readFile(await fileOf(image, 'originals'))).includes('SEALED');
  t.same([await isSealed(early), await isSealed(fresh)], [false, true]);
});
