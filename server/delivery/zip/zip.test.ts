import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, truncate } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import t from 'tap';
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Image } from '../../contract.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../../testing/app.ts';
import { storedFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { storeFiles } from '../../testing/form.ts';
import { bulky, noise, picture } from '../../testing/pictures.ts';
import type { Originals } from '../originals.ts';
import { createArchiver, originalFile } from './zip.ts';

const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir });

const pathOf = (...images: (Image | undefined)[]) =>
  `/api/images/archive?ids=${images.map((image) => image?.id).join()}`;

function unpack(bytes: Buffer): Map<string, Buffer> {
  const unpacked = unzipSync(bytes);
  return new Map(Object.entries(unpacked).map(([name, file]) => [name, Buffer.from(file)]));
}

t.test('an archive contains the unchanged originals under distinct names', async (t) => {
  const account = await signIn(app);
  const bytes = [await noise(60, 40), await picture(), await picture({ colour: 'red' })];
  const names = ['Ferien – 1.jpg', 'a.png', 'A.png'];
  const images = await storeFiles(
    app,
    account,
    names.map((name, index) => ({ name, bytes: bytes[index] ?? '' })),
  );
  const answer = await app.inject({ url: pathOf(...images), headers: account.bearer });
  t.equal(answer.statusCode, 200);
  t.match(answer.headers, {
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="images.zip"',
    'content-length': String(answer.rawPayload.length),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  const files = unpack(answer.rawPayload);
  t.same([...files.keys()], ['Ferien – 1.jpg', 'a.png', 'A (2).png']);
  for (const [index, file] of [...files.values()].entries())
    t.ok(file.equals(bytes[index] ?? Buffer.of()), `${names[index]}`);
  const byCookie = await app.inject({ url: pathOf(images[0]), headers: { cookie: account.cookie } });
  t.equal(byCookie.statusCode, 200, 'the cookie alone is enough');
});

t.test('an archive omits images of other accounts, and invalid ids answer 400', async (t) => {
  const [owner, other] = [await signIn(app), await signIn(app)];
  const [mine] = await storeFiles(app, owner, [{ name: 'mine.png', bytes: await picture() }]);
  const [theirs] = await storeFiles(app, other, [{ name: 'theirs.png', bytes: await picture() }]);
  t.equal((await app.inject(pathOf(mine))).statusCode, 401);
  t.equal((await app.inject({ url: pathOf(theirs), headers: owner.bearer })).statusCode, 404);
  const both = await app.inject({ url: pathOf(mine, theirs), headers: owner.bearer });
  const files = unpack(both.rawPayload);
  t.same([...files.keys()], ['not-included.txt', 'mine.png']);
  t.equal(
    files.get('not-included.txt')?.toString(),
    `${theirs?.id}: There is no such image. It may have been deleted already.\r\n`,
  );
  const many = Array.from({ length: 201 }, (_, index) => `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`);
  for (const query of [
    '',
    '?ids=',
    '?ids=x',
    `?ids=${mine?.id},`,
    `?ids=${mine?.id}&ids=${mine?.id}`,
    `?ids=${many}`,
  ]) {
    const answer = await app.inject({ url: `/api/images/archive${query}`, headers: owner.bearer });
    t.match(answer.json(), { statusCode: 400, code: 'INVALID_REQUEST' }, query.slice(0, 60));
  }
});

t.test('an archive lists missing and truncated originals and contains the others', async (t) => {
  const account = await signIn(app);
  const images = await storeFiles(app, account, [
    { name: 'whole.jpg', bytes: await noise(20, 10) },
    { name: 'lost.jpg', bytes: await noise(20, 11) },
    { name: 'cut.jpg', bytes: await noise(20, 12) },
  ]);
  const originals = (await storedFiles(dataDir)).filter((path) => path.startsWith('originals'));
  const fileOf = (image?: Image) =>
    join(dataDir, 'files', originals.find((path) => path.includes(`${image?.id}`)) ?? '');
  await rm(fileOf(images[1]));
  await truncate(fileOf(images[2]), 100);
  const answer = await app.inject({ url: pathOf(...images), headers: account.bearer });
  const files = unpack(answer.rawPayload);
  t.same([...files.keys()], ['not-included.txt', 'whole.jpg']);
  t.match(files.get('not-included.txt')?.toString(), /^lost\.jpg: .*missing.*\r\ncut\.jpg: .*damaged.*\r\n$/);
});

t.test('a client that disconnects during an archive leaves no file open', async (t) => {
  const account = await signIn(app);
  const bytes = await bulky(2000, 1500);
  const images = await storeFiles(app, account, [{ name: 'large.png', bytes }]);
  const closed: string[] = [];
  const origin = await listen(app);
  const { storage } = app;
  const open = storage.open.bind(storage);
  let left = 0;
  t.intercept(storage, 'open', {
    value: async (key: string) => {
      const file = await open(key);
      if (!file) return file;
      left += 1;
      return {
        ...file,
        read: file.read.bind(file),
        close: async () => {
          left -= 1;
          closed.push(key);
          await file.close();
        },
      };
    },
  });
  const request = get(`${origin}${pathOf(...images)}`, { headers: account.bearer });
  const [response] = await once(request, 'response');
  await once(response, 'data');
  response.pause();
  await eventually('one file is closed and one is being read', async () => left === 1 && closed.length === 1);
  response.destroy();
  await eventually('all files are closed', async () => left === 0);
  t.equal(closed.length, 2, 'opened once to check and once to read');
});

const rowOf = (name: string) =>
  ({ id: randomUUID(), filename: name, extension: 'png', size: 10, uploadedAt: new Date() }) as unknown as ImageRow;

/** Originals that wait for `release` when they are opened again, after the check, or read. */
function heldOriginals(held: 'open' | 'read') {
  const state = { opened: 0, isReading: false, closedWhileReading: false, isHeld: false };
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async () => {
    state.isHeld = true;
    await released;
  };
  let opens = 0;
  const originals: Originals = {
    async open() {
      opens += 1;
      if (held === 'open' && opens > 1) await hold();
      state.opened += 1;
      return {
        async read(into) {
          state.isReading = true;
          if (held === 'read') await hold();
          into.fill('x');
          state.isReading = false;
        },
        async close() {
          state.closedWhileReading ||= state.isReading;
          state.opened -= 1;
        },
      };
    },
  };
  return { originals, state, release };
}

for (const held of ['open', 'read'] as const) {
  t.test(`an archive that is cancelled during a pending ${held} closes the file afterwards`, async (t) => {
    const { originals, state, release } = heldOriginals(held);
    const { bytes } = await createArchiver()([originalFile(originals, { ...rowOf('a.png'), size: 2 ** 20 })]);
    // The header and the name of the file; the stream reads one piece ahead.
    for (let piece = 1; piece <= 2; piece += 1) await bytes.next();
    await eventually(`the ${held} is pending`, () => state.isHeld);
    const cancelled = bytes.return(undefined);
    release();
    await cancelled;
    await eventually('the file is closed', () => state.opened === 0, 5);
    t.equal(state.closedWhileReading, false);
  });
}

t.test('an archive that failed at an unreadable file omits it the next time', async (t) => {
  const [good, bad] = [rowOf('good.png'), rowOf('bad.png')];
  const originals: Originals = {
    open: async (row) => ({
      async read(into) {
        if (row.id === bad.id) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        into.fill('x');
      },
      close: async () => {},
    }),
  };
  const archiveOf = createArchiver();
  const whole = async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await archiveOf([good, bad].map((row) => originalFile(originals, row)))).bytes)
      chunks.push(chunk);
    return unpack(Buffer.concat(chunks));
  };
  await t.rejects(whole());
  const files = await whole();
  t.same([...files.keys()], ['not-included.txt', 'good.png']);
  t.match(files.get('not-included.txt')?.toString(), /^bad\.png: Its bytes cannot be read/);
});
