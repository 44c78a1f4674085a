/** What ENCRYPTION_KEY keeps from whoever holds the storage, and what comes back through it. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import type { Image } from '../contract.ts';
import { SEGMENT_SIZE } from '../storage/sealed/open-sealed.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, listen, type TestOptions, temporaryFolder } from '../testing/app.ts';
import { createTestDatabase } from '../testing/database.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise, picture, placed } from '../testing/pictures.ts';

const pathOf = (url: string) => new URL(url).pathname;
const encryptionKey = randomBytes(32);

/** A server with this key, in which nothing is kept in memory. */
async function sealedApp(t: Test, options: TestOptions = {}) {
  const dataDir = options.dataDir ?? (await temporaryFolder(t));
  const app = await buildTestApp(t, { encryptionKey, dataDir, cacheSize: 0, ...options });
  const account = await signIn(app);
  const store = async (bytes: Buffer, name = 'name-of-a-picture.png'): Promise<Image> => {
    const [image] = await storeFiles(app, account, [{ name, bytes }]);
    if (!image) throw new Error('nothing was stored');
    return image;
  };
  const filesIn = async (folder: string) =>
    (await storedFiles(dataDir)).filter((path) => path.startsWith(folder)).map((path) => join(dataDir, 'files', path));
  return { app, account, dataDir, store, filesIn };
}

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at).finally(() => file.close());
}

t.test('nothing of a picture nor its name stands in the storage', async (t) => {
  const { app, dataDir, store, filesIn } = await sealedApp(t);
  const tiff = await noise(900, 700, 'tiff');
  const image = await store(tiff, 'name-of-a-picture.tiff');
  const seen = await Promise.all(
    [image.thumbnail_url, image.screen_url].map(async (url) => (await app.inject(pathOf(url))).rawPayload),
  );
  for (const folder of ['originals', 'thumbnails', 'screens']) t.equal((await filesIn(folder)).length, 1, folder);
  for (const path of await storedFiles(dataDir)) {
    const stored = await readFile(join(dataDir, 'files', path));
    t.notOk(stored.includes('name-of-a-picture'), path);
    for (const plain of [tiff, ...seen]) {
      for (let at = 0; at < plain.length - 16; at += 997) {
        if (stored.includes(plain.subarray(at, at + 16))) t.fail(`${path} has 16 bytes of a picture`);
      }
    }
  }
  t.ok((await app.inject(pathOf(image.url))).rawPayload.equals(tiff), 'and its link gives it back');
});

t.test('size, validators and headers are those of the picture, sealed or not', async (t) => {
  const bytes = await noise(600, 500);
  const sealed = await sealedApp(t);
  const plain = await sealedApp(t, { encryptionKey: undefined });
  const seen = await Promise.all(
    [sealed, plain].map(async ({ app, store }) => {
      const image = await store(bytes, 'a.jpg');
      const heads = await Promise.all(
        [image.url, image.thumbnail_url].map(async (url) => {
          const { headers } = await app.inject({ method: 'HEAD', url: pathOf(url) });
          return [headers.etag, headers['content-length'], headers['content-type']];
        }),
      );
      return { size: image.size, heads };
    }),
  );
  t.same(seen[0], seen[1]);
  t.equal(seen[0]?.size, bytes.length);
});

/** Where in a sealed object a bit is turned; a negative one from its end. */
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
  'a segment in the middle': 176 + 3 * SEGMENT_SIZE + 777,
  'the last segment': -600,
  'its tag': -1,
};

t.test('a bit that is turned anywhere in an original is refused, and never served', async (t) => {
  const { app, account, store, filesIn } = await sealedApp(t);
  const origin = await listen(app);
  const bytes = await noise(900, 700, 'png');
  t.ok(bytes.length > 5 * SEGMENT_SIZE);
  const image = await store(bytes);
  const [path = ''] = await filesIn('originals');
  const whole = await readFile(path);
  for (const [region, at] of Object.entries(regions)) {
    await writeFile(path, whole);
    t.ok((await app.inject(pathOf(image.url))).rawPayload.equals(bytes));
    await flip(path, at < 0 ? whole.length + at : at);
    // Whole, where it is not known yet: what came before the damage may be sent, and nothing else.
    const got: Uint8Array[] = [];
    await t.rejects(async () => {
      const answer = await fetch(origin + pathOf(image.url));
      for await (const chunk of answer.body ?? []) got.push(chunk);
      if (answer.status === 500) throw Object.assign(new Error(), Object(JSON.parse(Buffer.concat(got).toString())));
    }, region);
    const sent = Buffer.concat(got);
    if (!sent.includes('DAMAGED_ORIGINAL')) t.ok(sent.equals(bytes.subarray(0, sent.length)), region);
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

t.test('a bit that is turned anywhere in a rendition has it made anew, sealed', async (t) => {
  const { app, store, filesIn } = await sealedApp(t);
  const image = await store(await noise(500, 400));
  const [path = ''] = await filesIn('thumbnails');
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

t.test('no rendition is made from a sealed original that is damaged', async (t) => {
  const { app, store, filesIn } = await sealedApp(t);
  const image = await store(await noise(500, 400));
  const [[original = ''], [thumbnail = '']] = [await filesIn('originals'), await filesIn('thumbnails')];
  await flip(original, 70_000);
  await rm(thumbnail);
  const answer = await app.inject(pathOf(image.thumbnail_url));
  t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' });
});

t.test('a sealed original that is cut off, longer, or in the place of another is refused', async (t) => {
  const { app, store, filesIn } = await sealedApp(t);
  const uncompressed = async () =>
    sharp(await noise(800, 600))
      .tiff({ compression: 'none' })
      .toBuffer();
  const [one, other] = [await store(await uncompressed(), 'a.tiff'), await store(await uncompressed(), 'b.tiff')];
  t.equal(one.size, other.size);
  const paths = await filesIn('originals');
  const pathOfImage = ({ id }: Image) => paths.find((path) => path.includes(id)) ?? '';
  const refused = async (what: string, { url }: Image) => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      // Where a part was sent already, the connection is cut.
      const answer = await app.inject({ url: pathOf(url), headers }).catch(() => undefined);
      if (answer) t.match(answer.json(), { statusCode: 500, code: 'DAMAGED_ORIGINAL' }, what);
      else t.notOk('range' in headers, what);
    }
  };
  const [a, b] = [await readFile(pathOfImage(one)), await readFile(pathOfImage(other))];
  for (const left of [0, 7, 16, 100, 176, 216, 176 + SEGMENT_SIZE, 176 + 2 * SEGMENT_SIZE, a.length - 1]) {
    await writeFile(pathOfImage(one), a.subarray(0, left));
    await refused(`cut off at ${left}`, one);
  }
  await writeFile(pathOfImage(one), Buffer.concat([a, Buffer.alloc(16)]));
  await refused('longer', one);
  await writeFile(pathOfImage(one), b);
  await writeFile(pathOfImage(other), a);
  await refused('another', one);
  await refused('another', other);
  await writeFile(pathOfImage(one), a);
  t.equal((await app.inject(pathOf(one.url))).statusCode, 200, 'and is good again in its place');
});

t.test('a range across any boundary has exactly its bytes', async (t) => {
  const { app, account, store } = await sealedApp(t);
  const bytes = await noise(900, 700, 'png');
  const image = await store(bytes);
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
  );
});

t.test('a place is covered in what is opened, too, the second time as the first', async (t) => {
  const { app, account, store } = await sealedApp(t);
  const bytes = await placed();
  const image = await store(bytes, 'placed.jpg');
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

t.test('plain and sealed pictures stand side by side', async (t) => {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  const [early, late] = [await picture({ width: 300 }), await noise(600, 400)];
  const before = await sealedApp(t, { databaseUrl: url, dataDir, encryptionKey: undefined });
  const old = await before.store(early);
  await before.app.close();
  const { app, store, filesIn } = await sealedApp(t, { databaseUrl: url, dataDir });
  const fresh = await store(late, 'late.jpg');
  t.ok((await app.inject(pathOf(old.url))).rawPayload.equals(early));
  t.ok((await app.inject(pathOf(fresh.url))).rawPayload.equals(late));
  t.equal((await app.inject(pathOf(old.thumbnail_url))).statusCode, 200);
  const heads = await Promise.all(
    (await filesIn('originals')).map(async (path) => (await readFile(path)).includes('SEALED')),
  );
  t.same(heads.sort(), [false, true]);
});
