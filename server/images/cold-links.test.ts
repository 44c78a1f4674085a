/** What many readers of a rendition that is not in memory cost together. */
import t, { type Test } from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, type TestOptions, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';

const readers = 40;
const config = await testConfig(t);
const bytes = await noise(700, 500, 'tiff');

async function openStage(t: Test, options: TestOptions) {
  const app = await buildTestApp(t, { ...config, ...options });
  const account = await signIn(app);
  let read: number[] = [];
  const { open } = app.storage;
  app.storage.open = async (key) => {
    const file = await open(key);
    if (!file) return file;
    return {
      ...file,
      read(into, at) {
        read.push(into.buffer.byteLength);
        return file.read(into, at);
      },
    };
  };

  /** Many ask at once for a new picture. @returns the bytes of each buffer that its file was read into */
  async function readTogether() {
    const [image] = await storeFiles(app, account, [{ name: 'scan.tiff', bytes }]);
    if (!image) throw new Error('nothing was stored');
    const path = new URL(image.screen_url).pathname;
    await app.inject(new URL(image.thumbnail_url).pathname);
    read = [];
    const answers = await Promise.all(Array.from({ length: readers }, () => app.inject(path)));
    const together = read;
    const { rawPayload } = await app.inject(path);
    t.ok(answers.every((answer) => answer.statusCode === 200 && answer.rawPayload.equals(rawPayload)));
    t.ok(rawPayload.length > 2 ** 16 && rawPayload.length < 2 ** 18, `${rawPayload.length} bytes`);
    return { read: together, size: rawPayload.length };
  }
  return readTogether;
}

t.test('many who ask at once for a picture that is not in memory have it read once', async (t) => {
  const readTogether = await openStage(t, {});
  // Not at a moment in which changes may go unheard.
  await eventually('a single read for all requests', async () => {
    const { read, size } = await readTogether();
    return read.length === 1 && read[0] === size;
  });
});

for (const cacheSize of [0, 400_000]) {
  t.test(`what CACHE_SIZE=${cacheSize} cannot keep goes through the chunks that all share`, async (t) => {
    const readTogether = await openStage(t, { cacheSize });
    const { read, size } = await readTogether();
    t.ok(read.length >= readers);
    t.notOk(read.includes(size), 'nobody has it whole for himself');
  });
}
