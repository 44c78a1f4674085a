import t, { type Test } from 'tap';
import { fileOf } from '../testing/pictures.ts';
import { joined, openBytes } from './file-bytes.ts';

const WHOLE = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >> 8)) % 255));

async function bytesOf(t: Test, content: Buffer) {
  const bytes = openBytes(await fileOf(t, content));
  t.teardown(() => bytes.close());
  return bytes;
}

t.test('parts of a file are read correctly in any order and length', async (t) => {
  const bytes = await bytesOf(t, WHOLE);
  t.equal(bytes.length, WHOLE.length);
  for (const [from, to] of [
    [0, 10],
    [65_530, 65_540],
    [199_990, 300_000],
    [5, 150_000],
    [131_000, 131_073],
    [200_000, 200_001],
    [0, 200_000],
  ] as const) {
    t.ok(bytes.part(from, to).equals(WHOLE.subarray(from, to)), `${from} to ${to}`);
    t.equal(bytes.at(from), WHOLE[from], `at ${from}`);
  }
});

t.test('a byte is found beyond the read window', async (t) => {
  const late = Buffer.alloc(180_000);
  late[170_001] = 0xff;
  const bytes = await bytesOf(t, late);
  t.equal(bytes.indexOf(0xff, 3), 170_001);
  t.equal(bytes.indexOf(0xff, 170_002), -1);
  t.equal(bytes.indexOf(0xff, 400_000), -1);
});

t.test('parts are joined in order', async (t) => {
  const copy = joined(await bytesOf(t, WHOLE), [
    [10, 100_000],
    [3, 4],
    [199_999, 200_000],
  ]);
  t.ok(copy.equals(Buffer.concat([WHOLE.subarray(10, 100_000), WHOLE.subarray(3, 4), WHOLE.subarray(199_999)])));
});

t.test('an empty file has no bytes', async (t) => {
  const bytes = await bytesOf(t, Buffer.alloc(0));
  t.equal(bytes.at(0), undefined);
  t.equal(bytes.part(0, 5).length, 0);
});
