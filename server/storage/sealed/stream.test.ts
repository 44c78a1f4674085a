import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import t from 'tap';
import { tinkVectors } from '../testing/tink-vectors.ts';
import { openRandomly } from './random-reader.ts';
import { createOpening, createSealing, type StreamKey, sealBytes } from './stream.ts';
import { BrokenSeal, headerSizeOf, layoutOf, TAG_SIZE } from './stream-format.ts';

const parameters = { hash: 'sha256', derivedKeySize: 32, segmentSize: 120 } as const;
const header = headerSizeOf(parameters);
const stream = (): StreamKey => ({
  parameters,
  key: randomBytes(32),
  associatedData: Buffer.from('originals/3f/x.jpg'),
});

function* cut(bytes: Buffer, sizes: number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
async function* openStream(key: StreamKey, pieces: Iterable<Buffer>) {
  const opening = createOpening(key);
  for (const piece of pieces) yield* opening.add(piece);
  yield* opening.end();
}
const openAll = (key: StreamKey, sealed: Buffer, sizes = [50]) =>
  buffer(Readable.from(openStream(key, cut(sealed, sizes))));
async function* sealStream(key: StreamKey, pieces: Iterable<Buffer>) {
  const sealing = createSealing(key);
  for (const piece of pieces) yield* sealing.add(piece);
  yield* sealing.end();
}
const sealAll = (key: StreamKey, plain: Buffer, sizes = [50]) =>
  buffer(Readable.from(sealStream(key, cut(plain, sizes))));

function source(sealed: Buffer) {
  const asked: [from: number, to: number][] = [];
  return {
    asked,
    size: sealed.length,
    read: async (into: Uint8Array, at: number) => {
      asked.push([at, at + into.length]);
      const part = sealed.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    },
  };
}
async function openPart(key: StreamKey, sealed: Buffer, at: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length);
  const reader = await openRandomly(key, source(sealed));
  return into.subarray(0, await reader.read(into, at));
}

for (const { name, key, plain, sealed } of tinkVectors) {
  t.test(`a stream sealed by Tink opens as a whole and in parts: ${name}`, async (t) => {
    for (const sizes of [[1], [7, 64], [10_000]]) t.same(await openAll(key, sealed, sizes), plain);
    t.equal(layoutOf(key.parameters).plainSize(sealed.length), plain.length);
    t.equal(layoutOf(key.parameters).sealedSize(plain.length), sealed.length);
    for (let at = 0; at < plain.length; at += 3) {
      t.same(await openPart(key, sealed, at, 17), plain.subarray(at, at + 17));
    }
    const other = { ...key, associatedData: Buffer.concat([key.associatedData, Buffer.of(1)]) };
    await t.rejects(openAll(other, sealed), { code: 'BROKEN_SEAL' });
  });
}

const plaintext = fc.integer({ min: 0, max: 700 }).map((size) => randomBytes(size));
const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });

t.test('a sealed stream opens to the same bytes, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(plaintext, sizes, sizes, async (plain, inward, outward) => {
      const key = stream();
      const sealed = await sealAll(key, plain, inward);
      const layout = layoutOf(parameters);
      return (
        sealed.length === layout.sealedSize(plain.length) &&
        layout.plainSize(sealed.length) === plain.length &&
        (await openAll(key, sealed, outward)).equals(plain) &&
        (await openAll(key, sealBytes(key, plain), outward)).equals(plain)
      );
    }),
  );
});

t.test('a partial read returns the right plaintext and reads only the segments that hold it', async () => {
  const part = fc.record({ at: fc.nat(750), length: fc.integer({ min: 1, max: 400 }) });
  await fc.assert(
    fc.asyncProperty(plaintext, fc.array(part, { minLength: 1, maxLength: 5 }), async (plain, parts) => {
      const key = stream();
      const sealed = source(sealBytes(key, plain));
      const reader = await openRandomly(key, sealed);
      for (const { at, length } of parts) {
        sealed.asked.length = 0;
        const into = Buffer.alloc(length);
        const got = into.subarray(0, await reader.read(into, at));
        if (!got.equals(plain.subarray(at, at + length))) return false;
        const layout = layoutOf(parameters);
        const from = layout.startOf(layout.segmentAt(at)).sealed;
        const to = layout.startOf(layout.segmentAt(Math.min(plain.length, at + length) - 1) + 1).sealed;
        const isNear = ([begin, end]: [number, number]) => begin >= from && end <= to;
        if (plain.length > 0 && !sealed.asked.every(isNear)) return false;
      }
      return true;
    }),
  );
});

t.test('a leased buffer holds verified plaintext up to the end of its segment', async () => {
  await fc.assert(
    fc.asyncProperty(plaintext, fc.nat(750), fc.nat(), async (plain, at, offset) => {
      const key = stream();
      const sealed = sealBytes(key, plain);
      const layout = layoutOf(parameters);
      const reader = await openRandomly(key, source(sealed));
      const { bytes, release } = await reader.lease(at);
      const segment = layout.segmentAt(at);
      const isRight = bytes.equals(plain.subarray(at, layout.startOf(segment + 1).plain));
      release();
      if (at >= plain.length) return isRight && bytes.length === 0;
      const { sealed: from } = layout.startOf(segment);
      const { sealed: to } = layout.startOf(segment + 1);
      const changed = from + (offset % (Math.min(to, sealed.length) - from));
      sealed[changed] = (sealed[changed] ?? 0) ^ 1;
      const refused = await reader.lease(at).catch((error: Error) => error);
      return isRight && refused instanceof BrokenSeal;
    }),
  );
});

t.test('a leased buffer’s memory is freed when it is returned, not before', async (t) => {
  const key = { ...stream(), parameters: { ...parameters, segmentSize: 2 ** 16 } };
  const plain = randomBytes(2 ** 18);
  const reader = await openRandomly(key, source(sealBytes(key, plain)));
  const [one, other] = [await reader.lease(0), await reader.lease(0)];
  one.release();
  reader.close();
  t.equal(one.bytes.length, 0, 'detached');
  t.ok(other.bytes.equals(plain.subarray(0, other.bytes.length)));
  t.ok(other.bytes.length > 60_000);
});

t.test('the memory of opened segments is released at once', async (t) => {
  const whole = { ...parameters, segmentSize: 2 ** 16 };
  const key = { ...stream(), parameters: whole };
  const plain = randomBytes(2 ** 23);
  const sealed = source(sealBytes(key, plain));
  const into = Buffer.alloc(2 ** 18);
  const before = process.memoryUsage().arrayBuffers;
  let max = 0;
  for (let time = 0; time < 16; time += 1) {
    const reader = await openRandomly(key, sealed);
    for (let at = 0; at < plain.length; at += into.length) {
      await reader.read(into, at);
      if (!into.equals(plain.subarray(at, at + into.length))) t.fail(`wrong bytes at ${at}`);
      max = Math.max(max, process.memoryUsage().arrayBuffers - before);
    }
    reader.close();
  }
  t.ok(max < 2 ** 22, `${max} bytes`);
});

t.test('a sequential reader does not reread its last segment', async (t) => {
  const key = stream();
  const sealed = source(sealBytes(key, randomBytes(600)));
  const reader = await openRandomly(key, sealed);
  const into = Buffer.alloc(100);
  for (let at = 0; at < 600; at += 100) await reader.read(into, at);
  const bytes = sealed.asked.reduce((sum, [from, to]) => sum + to - from, 0);
  t.equal(bytes, sealed.size);
});

t.test('reading stops before the segment of a changed bit', async () => {
  await fc.assert(
    fc.asyncProperty(plaintext, fc.nat(), fc.nat(7), async (plain, offset, bit) => {
      const key = stream();
      const sealed = sealBytes(key, plain);
      const at = offset % sealed.length;
      sealed[at] = (sealed[at] ?? 0) ^ (1 << bit);
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of openStream(key, cut(sealed, [50]))) chunks.push(chunk);
        return false;
      } catch (error) {
        const got = Buffer.concat(chunks);
        const end = layoutOf(parameters).startOf(Math.floor(at / parameters.segmentSize)).plain;
        return (
          (error as { code: string }).code === 'BROKEN_SEAL' &&
          got.length <= end &&
          got.equals(plain.subarray(0, got.length))
        );
      }
    }),
  );
});

/** The size of four full segments. */
const whole = layoutOf(parameters).startOf(4).plain;
const segments = (sealed: Buffer) =>
  [0, 1, 2, 3].map((segment) =>
    sealed.subarray(layoutOf(parameters).startOf(segment).sealed, layoutOf(parameters).startOf(segment + 1).sealed),
  );

const rearranged: Record<string, (start: Buffer, parts: Buffer[]) => Buffer[]> = {
  'cut off behind a segment': (start, parts) => [start, ...parts.slice(0, 3)],
  'cut off in the middle of one': (start, parts) => [start, ...parts.slice(0, 3), parts[3]?.subarray(0, 60) ?? start],
  'cut off in its last tag': (start, parts) => [start, ...parts.slice(0, 3), parts[3]?.subarray(0, -1) ?? start],
  'cut off behind the header': (start) => [start],
  'cut off in the header': (start) => [start.subarray(0, 20)],
  empty: () => [],
  'with two segments swapped': (start, [a, b, c, d]) => [start, a, c, b, d] as Buffer[],
  'with a segment twice': (start, [a, b, c, d]) => [start, a, b, b, c, d] as Buffer[],
  'with the last segment twice': (start, [a, b, c, d]) => [start, a, b, c, d, d] as Buffer[],
  'without a middle segment': (start, [a, _, c, d]) => [start, a, c, d] as Buffer[],
  'with a byte behind it': (start, parts) => [start, ...parts, Buffer.of(0)],
  'with a tag behind it': (start, parts) => [start, ...parts, Buffer.alloc(TAG_SIZE)],
};

for (const [name, rearrange] of Object.entries(rearranged)) {
  t.test(`a sealed stream ${name} does not open to its end`, async (t) => {
    const key = stream();
    const sealed = sealBytes(key, randomBytes(whole));
    const wrong = Buffer.concat(rearrange(sealed.subarray(0, header), segments(sealed)));
    await t.rejects(openAll(key, wrong), { code: 'BROKEN_SEAL' });
    await t.rejects(openPart(key, wrong, 0, 1_000), { code: 'BROKEN_SEAL' });
  });
}

t.test('segments do not open in another stream or under another name', async (t) => {
  const key = stream();
  const [one, other] = [sealBytes(key, randomBytes(whole)), sealBytes(key, randomBytes(whole))];
  await t.rejects(openAll(key, Buffer.concat([one.subarray(0, 240), other.subarray(240)])), { code: 'BROKEN_SEAL' });
  const elsewhere = { ...key, associatedData: Buffer.from('originals/3f/y.jpg') };
  await t.rejects(openAll(elsewhere, one), { code: 'BROKEN_SEAL' });
  await t.rejects(openAll({ ...key, key: randomBytes(32) }, one), { code: 'BROKEN_SEAL' });
});

t.test('the same bytes sealed twice differ completely', async (t) => {
  const key = stream();
  const plain = Buffer.alloc(400);
  const [one, other] = [sealBytes(key, plain), sealBytes(key, plain)];
  t.notSame(one.subarray(1, header), other.subarray(1, header));
  t.notSame(one.subarray(header, header + 32), other.subarray(header, header + 32));
  t.notSame(one.subarray(120, 152), one.subarray(240, 272), 'segments of one stream differ too');
});
