import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import t, { type Test } from 'tap';
import type { Image } from '../contract.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';

const readers = 40;
const config = await testConfig(t);
const app = await buildTestApp(t, config);
const account = await signIn(app);
const bytes = await noise(700, 500, 'tiff');

async function store(): Promise<Image> {
  const [image] = await storeFiles(app, account, [{ name: 'scan.tiff', bytes }]);
  if (!image) throw new Error('nothing was stored');
  return image;
}

/** @returns the sizes of the buffers into which a server reads files from now on */
function watchReads({ storage }: FastifyInstance): number[] {
  const read: number[] = [];
  const { open } = storage;
  storage.open = async (key) => {
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
  return read;
}

/** Requests a picture many times concurrently. @returns its size in bytes */
async function readTogether(t: Test, server: FastifyInstance, image: Image): Promise<number> {
  const path = new URL(image.screen_url).pathname;
  const answers = await Promise.all(Array.from({ length: readers }, () => server.inject(path)));
  const [{ rawPayload }] = answers as [LightMyRequestResponse];
  t.ok(answers.every((answer) => answer.statusCode === 200 && answer.rawPayload.equals(rawPayload)));
  t.ok(rawPayload.length > 2 ** 16 && rawPayload.length < 2 ** 18, `${rawPayload.length} bytes`);
  return rawPayload.length;
}

t.test('many concurrent requests for an uncached rendition read it once', async (t) => {
  const read = watchReads(app);
  // Repeated, because nothing is cached while notifications may be missed.
  await eventually('a single read for all requests', async () => {
    const image = await store();
    await app.inject(new URL(image.thumbnail_url).pathname);
    read.length = 0;
    const size = await readTogether(t, app, image);
    return read.length === 1 && read[0] === size;
  });
});

for (const cacheSize of [0, 400_000]) {
  t.test(`a rendition too large for CACHE_SIZE=${cacheSize} is streamed through the buffer pool`, async (t) => {
    const image = await store();
    const server = await buildTestApp(t, { ...config, cacheSize });
    await server.inject(new URL(image.thumbnail_url).pathname);
    const read = watchReads(server);
    const size = await readTogether(t, server, image);
    t.ok(read.length >= readers);
    t.notOk(read.includes(size), 'no request reads it whole');
  });
}
