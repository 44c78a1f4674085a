import { randomBytes } from 'node:crypto';
import { on } from 'node:events';
import { open as openFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { eventually } from '../../../testing/eventually.ts';
import { createSegmentSealer, openingKey, type StreamParameters } from '../stream-format.ts';
import { createOpener, type Opener, type Options } from './opener.ts';
import { SLOT_SIZE, SLOTS } from './shared.ts';

const sizes = { 128: 16, 256: 32 } as const;

/** A sealed segment and the job that opens it. */
function segmentOf(plain: Buffer, { bits = 256, segment = 0, isLast = true }: Partial<Segment> = {}) {
  const parameters: StreamParameters = { hash: 'sha256', derivedKeySize: sizes[bits], segmentSize: SLOT_SIZE };
  const stream = { parameters, key: randomBytes(32), associatedData: Buffer.from('originals/3f/x.jpg') };
  const sealer = createSegmentSealer(stream);
  const sealed = Buffer.concat(sealer.seal(segment, isLast, plain));
  return { job: { key: openingKey(stream, sealer.header), segment, isLast, length: sealed.length }, sealed };
}
type Segment = { bits: 128 | 256; segment: number; isLast: boolean };

const reading = (sealed: Buffer) => async (into: Buffer) => void sealed.copy(into);

const large = () => randomBytes(2 ** 16);

const unasked = () => Promise.reject(new Error('nothing is read for it'));

async function fileOf(t: Test, bytes: Buffer): Promise<number> {
  const path = join(t.testdir(), 'file');
  await writeFile(path, bytes);
  const file = await openFile(path);
  t.teardown(() => file.close());
  return file.fd;
}

/** An opener whose thread has started, and which waits without a limit. */
async function opener(options: Options = {}): Promise<Opener> {
  const opener = createOpener({ patience: Number.POSITIVE_INFINITY, ...options });
  await eventually('the thread opens a segment', async () => {
    const { job, sealed } = segmentOf(large());
    const lent = await opener.open(job, reading(sealed));
    lent?.release();
    return lent !== undefined;
  });
  return opener;
}

const shared = await opener();

t.test('the worker returns the plaintext for any length, AES variant and segment number', async (t) => {
  const { open } = shared;
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
      lent?.release();
      return isRight;
    }),
    { numRuns: 35 },
  );
  t.pass();
});

t.test('the worker reads a segment at any offset of a file', async (t) => {
  const { open } = shared;
  const plain = large();
  const { job, sealed } = segmentOf(plain);
  // Offsets beyond 32 bits; the file is sparse.
  const path = join(t.testdir(), 'sparse');
  const file = await openFile(path, 'wx+');
  t.teardown(() => file.close());
  for (const at of [0, 233, 2 ** 33 + 5]) {
    await file.write(sealed, 0, sealed.length, at);
    const lent = await open({ ...job, place: { descriptor: file.fd, at } }, unasked);
    t.ok(lent?.bytes.equals(plain), `${at} bytes before it`);
    lent?.release();
  }
});

t.test('segments that the worker cannot read are left to the caller, and their slots are reused', async (t) => {
  const { open } = shared;
  const { job, sealed } = segmentOf(large());
  const descriptor = await fileOf(t, sealed);
  for (let time = 0; time < SLOTS + 1; time += 1) {
    t.equal(await open({ ...job, place: { descriptor, at: 1 } }, unasked), undefined);
    t.equal(await open({ ...job, place: { descriptor: 2 ** 30, at: 0 } }, unasked), undefined);
  }
  const lent = await open({ ...job, place: { descriptor, at: 0 } }, unasked);
  t.ok(lent);
  lent?.release();
});

t.test('after three slow reads in a row the caller reads for the worker, which then tries again', async (t) => {
  const { open } = await opener({ quick: -1 });
  const plain = large();
  const { job, sealed } = segmentOf(plain);
  const descriptor = await fileOf(t, sealed);
  let reads = 0;
  const counted = async (into: Buffer) => {
    reads += 1;
    sealed.copy(into);
  };
  for (let time = 0; time < 3 + 64 + 1 + 64; time += 1) {
    const lent = await open({ ...job, place: { descriptor, at: 0 } }, counted);
    t.ok(lent?.bytes.equals(plain));
    lent?.release();
  }
  t.equal(reads, 2 * 64);
});

t.test('a changed segment, number or end flag is not opened, and its slot is reused', async (t) => {
  const { open } = shared;
  for (let time = 0; time < SLOTS + 1; time += 1) {
    const { job, sealed } = segmentOf(large(), { segment: 3, isLast: false });
    const changed = Buffer.from(sealed);
    changed[time * 500] = (changed[time * 500] ?? 0) ^ 1;
    t.equal(await open(job, reading(changed)), undefined);
    t.equal(await open({ ...job, segment: 4 }, reading(sealed)), undefined);
    t.equal(await open({ ...job, isLast: true }, reading(sealed)), undefined);
    const failure = new Error('the disk is gone');
    await t.rejects(
      open(job, () => Promise.reject(failure)),
      failure,
    );
  }
});

t.test('concurrent jobs get the right bytes, and jobs beyond the slots get none', async (t) => {
  const { open } = shared;
  for (let round = 0; round < 5; round += 1) {
    const all = await Promise.all(
      Array.from({ length: SLOTS + 5 }, async () => {
        const plain = large();
        const { job, sealed } = segmentOf(plain);
        return { plain, lent: await open(job, reading(sealed)) };
      }),
    );
    t.equal(all.filter(({ lent }) => lent === undefined).length, 5);
    t.ok(all.every(({ plain, lent }) => !lent || lent.bytes.equals(plain)));
    for (const { lent } of all) lent?.release();
  }
});

t.test('segments that are too small or too large for the worker are left to the caller', async (t) => {
  const { open } = shared;
  for (const length of [16, 2 ** 15 - 1, SLOT_SIZE + 1]) {
    t.equal(await open({ ...segmentOf(Buffer.alloc(1)).job, length }, unasked), undefined);
  }
});

function countedReading(sealed: Buffer) {
  let count = 0;
  const read = async (into: Buffer) => {
    count += 1;
    sealed.copy(into);
  };
  return { read, count: () => count };
}

async function entryOf(t: Test, program: string): Promise<URL> {
  const path = join(t.testdir(), 'thread.mjs');
  await writeFile(path, program);
  return pathToFileURL(path);
}

/** Resolves with the warning that the thread is missing. */
async function lackTold(): Promise<string> {
  for await (const [{ message }] of on(process, 'warning')) if (message.includes('sealed pictures')) return message;
  return '';
}

const failing = {
  'cannot begin': 'throw new Error("it ends");',
  'ends during a job': `import { workerData } from 'node:worker_threads';
    Atomics.wait(new Int32Array(workerData.shared.rings), 0, 0);
    throw new Error("it ends");`,
};

for (const [how, program] of Object.entries(failing)) {
  t.test(`if the thread ${how}, segments are left to the caller, and a warning is emitted`, async (t) => {
    const entry = await entryOf(t, program);
    const told = lackTold();
    const { open } = createOpener({ entry });
    const { job, sealed } = segmentOf(large());
    const { read, count } = countedReading(sealed);
    let line: string | undefined;
    void told.then((message) => {
      line = message;
    });
    await eventually('the warning is emitted', async () => {
      t.equal(await open(job, read), undefined);
      return line !== undefined;
    });
    t.match(line, /it ends/);
    const before = count();
    t.equal(await open(job, read), undefined);
    t.equal(count(), before, 'nothing more is read for it');
    if (how.startsWith('ends')) t.ok(before > 0, 'a job waited for it');
  });
}

t.test('if no thread can start, segments are left to the caller, and one warning is emitted', async (t) => {
  const told = lackTold();
  // Rejected synchronously, as with too many threads.
  const { open } = createOpener({ entry: new URL('https://localhost/') });
  t.equal(await open(segmentOf(large()).job, unasked), undefined);
  t.match(await told, /is not running/);
  t.equal(await open(segmentOf(large()).job, unasked), undefined);
});

t.test('while a job takes the thread too long, other segments are left to the caller', async (t) => {
  const goOn = join(t.testdir({}), 'go-on');
  const program = `import { existsSync } from 'node:fs';
    setInterval(() => existsSync(${JSON.stringify(goOn)}) && process.exit(), 5);`;
  const { open } = createOpener({ entry: await entryOf(t, program), patience: -1 });
  const { job, sealed } = segmentOf(large());
  const { read, count } = countedReading(sealed);
  let last: ReturnType<typeof open> = Promise.resolve(undefined);
  await eventually('the thread accepts a segment', async () => {
    t.equal(await last, undefined, 'it has not started yet');
    last = open(job, read);
    return count() > 0;
  });
  // The job has been sent by then.
  await new Promise(setImmediate);
  t.equal(await open(job, read), undefined);
  t.equal(count(), 1);
  await writeFile(goOn, '');
  t.equal(await last, undefined);
});

t.test('opened segments do not accumulate in memory', async (t) => {
  const { open } = shared;
  const { job, sealed } = segmentOf(randomBytes(SLOT_SIZE - 16));
  const before = process.memoryUsage.rss();
  let most = 0;
  for (let time = 0; time < 600; time += 1) {
    (await open(job, reading(sealed)))?.release();
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  t.ok(most < 2 ** 26, `${most} bytes of ${600 * SLOT_SIZE}`);
});
