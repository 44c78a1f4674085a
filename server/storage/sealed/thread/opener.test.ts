import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { createSegmentSealer, openingKey, type StreamParameters } from '../stream-format.ts';
import { createOpener, type Opener } from './opener.ts';
import { SLOT_SIZE, SLOTS } from './shared.ts';

const sizes = { 128: 16, 256: 32 } as const;

/** A segment of its own, and what opens it. */
function segmentOf(plain: Buffer, { bits = 256, segment = 0, isLast = true }: Partial<Options> = {}) {
  const parameters: StreamParameters = { hash: 'sha256', derivedKeySize: sizes[bits], segmentSize: SLOT_SIZE };
  const stream = { parameters, key: randomBytes(32), associatedData: Buffer.from('originals/3f/x.jpg') };
  const sealer = createSegmentSealer(stream);
  const sealed = Buffer.concat(sealer.seal(segment, isLast, plain));
  return { job: { key: openingKey(stream, sealer.header), segment, isLast, length: sealed.length }, sealed };
}
type Options = { bits: 128 | 256; segment: number; isLast: boolean };

const reading = (sealed: Buffer) => async (into: Buffer) => void sealed.copy(into);

const large = () => randomBytes(2 ** 16);

/** Whose thread is there. */
async function opener(): Promise<Opener> {
  const opener = createOpener();
  for (;;) {
    const { job, sealed } = segmentOf(large());
    const lent = await opener.open(job, reading(sealed));
    lent?.giveBack();
    if (lent) return opener;
    await new Promise(setImmediate);
  }
}

t.test('what comes back is the plaintext: any length, either AES, any place in the stream', async (t) => {
  const { open } = await opener();
  const options = fc.record({
    bits: fc.constantFrom(128 as const, 256 as const),
    segment: fc.nat(2 ** 31 + 9),
    isLast: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2 ** 15, max: SLOT_SIZE - 16 }), options, async (length, options) => {
      const plain = randomBytes(length);
      const { job, sealed } = segmentOf(plain, options);
      const lent = await open(job, reading(sealed));
      const isRight = lent?.bytes.equals(plain) ?? false;
      lent?.giveBack();
      return isRight;
    }),
  );
  t.pass();
});

t.test('a changed bit, another number or another end is refused, and its memory serves again', async (t) => {
  const { open } = await opener();
  for (let time = 0; time < SLOTS + 1; time += 1) {
    const { job, sealed } = segmentOf(large(), { segment: 3, isLast: false });
    const changed = Buffer.from(sealed);
    changed[time * 500] = (changed[time * 500] ?? 0) ^ 1;
    await t.rejects(open(job, reading(changed)), { code: 'BROKEN_SEAL' });
    await t.rejects(open({ ...job, segment: 4 }, reading(sealed)), { code: 'BROKEN_SEAL' });
    await t.rejects(open({ ...job, isLast: true }, reading(sealed)), { code: 'BROKEN_SEAL' });
    const failure = new Error('the disk is gone');
    await t.rejects(
      open(job, () => Promise.reject(failure)),
      failure,
    );
  }
});

t.test('many at once each get their own bytes, again and again, and beyond its memory none', async (t) => {
  const { open } = await opener();
  for (let round = 0; round < 20; round += 1) {
    const all = await Promise.all(
      Array.from({ length: SLOTS + 5 }, async () => {
        const plain = large();
        const { job, sealed } = segmentOf(plain);
        return { plain, lent: await open(job, reading(sealed)) };
      }),
    );
    t.equal(all.filter(({ lent }) => lent === undefined).length, 5);
    t.ok(all.every(({ plain, lent }) => !lent || lent.bytes.equals(plain)));
    for (const { lent } of all) lent?.giveBack();
  }
});

t.test('small segments and ones beyond its memory are left to the one who asks', async (t) => {
  const { open } = await opener();
  const never = () => Promise.reject(new Error('nothing is read for it'));
  for (const length of [16, 2 ** 15 - 1, SLOT_SIZE + 1]) {
    t.equal(await open({ ...segmentOf(Buffer.alloc(1)).job, length }, never), undefined);
  }
});

const failing = {
  'cannot begin': 'throw new Error("it ends");',
  'ends while it is waited for': `import { workerData } from 'node:worker_threads';
    Atomics.wait(new Int32Array(workerData.rings), 0, 0);
    throw new Error("it ends");`,
};

for (const [how, program] of Object.entries(failing)) {
  t.test(`where the thread ${how}, everything is left to the one who asks, and a line says so`, async (t) => {
    const path = join(t.testdir(), 'thread.mjs');
    await writeFile(path, program);
    const warned = once(process, 'warning');
    const { open } = createOpener(pathToFileURL(path));
    const { job, sealed } = segmentOf(large());
    let reads = 0;
    const read = async (into: Buffer) => {
      reads += 1;
      sealed.copy(into);
    };
    let line: string | undefined;
    const heard = warned.then(([{ message }]) => {
      line = message;
    });
    while (line === undefined) {
      t.equal(await open(job, read), undefined);
      await new Promise(setImmediate);
    }
    await heard;
    t.match(line, /it ends/);
    const before = reads;
    t.equal(await open(job, read), undefined);
    t.equal(reads, before, 'nothing is read for it any more');
    if (how.startsWith('ends')) t.ok(before > 0, 'it was waited for');
  });
}

t.test('what it opens does not gather in memory', async (t) => {
  const { open } = await opener();
  const { job, sealed } = segmentOf(randomBytes(SLOT_SIZE - 16));
  const before = process.memoryUsage.rss();
  let most = 0;
  for (let time = 0; time < 2_000; time += 1) {
    (await open(job, reading(sealed)))?.giveBack();
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  t.ok(most < 2 ** 26, `${most} bytes of ${2_000 * SLOT_SIZE}`);
});
