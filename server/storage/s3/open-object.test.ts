import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import type { ByteRange } from '../object-store.ts';
import type { Opened } from './calls/reads.ts';
import { createSemaphore } from './calls/semaphore.ts';
import type { S3Calls } from './calls.ts';
import { idleAfter, openObject } from './open-object.ts';

const bytes = randomBytes(1_000);

/** An object opened as a whole, and the ranges requested afterwards. */
function opened(t: Test) {
  const asked: ByteRange[] = [];
  const answer = (range: ByteRange): Opened => ({
    body: Readable.from([bytes.subarray(range.start, range.end + 1)]),
    size: bytes.length,
    etag: 'e',
    sha256: undefined,
  });
  const calls: Pick<S3Calls, 'get' | 'semaphore'> = {
    semaphore: createSemaphore(8),
    async get(_name, range) {
      const wanted = range as ByteRange;
      asked.push(wanted);
      return answer(wanted);
    },
  };
  const first = answer({ start: 0, end: bytes.length - 1 });
  const object = openObject(calls as S3Calls, 'a', first);
  const read = async (at: number, length: number) => {
    const into = Buffer.alloc(length);
    t.equal(await object.read(into, at), length);
    t.ok(into.equals(bytes.subarray(at, at + length)));
  };
  t.teardown(() => object.close());
  return { asked, read, body: first.body };
}

t.test('a sequential reader uses one response', async (t) => {
  const { asked, read } = opened(t);
  for (const at of [0, 100, 200]) await read(at, 100);
  t.same(asked, []);
});

t.test('a reader that was idle gets a range, then the rest once it continues', async (t) => {
  const { asked, read, body } = opened(t);
  await read(0, 100);
  const since = performance.now();
  // The timer may fire slightly early by this clock, which decides whether the reader was idle.
  await eventually('its response is closed', () => body.destroyed && performance.now() - since >= idleAfter);
  await read(100, 100);
  await read(200, 100);
  await read(300, 100);
  t.same(asked, [
    { start: 100, end: 199 },
    { start: 200, end: 999 },
  ]);
});

t.test('a reader that seeks backwards gets ranges from then on', async (t) => {
  const { asked, read } = opened(t);
  await read(500, 100);
  await read(0, 100);
  await read(100, 100);
  t.same(asked, [
    { start: 500, end: 999 },
    { start: 0, end: 99 },
    { start: 100, end: 199 },
  ]);
});
