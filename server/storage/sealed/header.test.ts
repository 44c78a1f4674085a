import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { testKeyring } from '../testing/keyring.ts';
import {
  createHeader,
  HEADER_SIZE,
  isSealed,
  openHeader,
  type Patch,
  rewrapInPlace,
  rewrapWhole,
  UnknownKey,
} from './header.ts';
import { plainSizeOf } from './open-sealed.ts';

const name = 'originals/3f/0198.jpg';
const segmentSize = 2 ** 16;
const [old, fresh, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];

const patched = (header: Buffer, { at, bytes }: Patch, upTo = bytes.length) => {
  const copy = Buffer.from(header);
  copy.set(bytes.subarray(0, upTo), at);
  return copy;
};

t.test('the data key unwraps only under its object’s name and with its master key', async (t) => {
  const { header, dataKey } = createHeader(name, testKeyring(old).present, segmentSize);
  t.equal(header.length, HEADER_SIZE);
  t.ok(isSealed(header));
  t.match(openHeader(header, name, testKeyring(old)), { dataKey, segmentSize, slot: 0 });
  t.match(openHeader(header, name, testKeyring(fresh, foreign, old)), { dataKey });
  t.throws(() => openHeader(header, 'originals/3f/0199.jpg', testKeyring(old)), { code: 'BROKEN_SEAL' });
  t.throws(() => openHeader(header, name, testKeyring(foreign)), new UnknownKey([testKeyring(old).present.id]));
  t.throws(() => openHeader(header.subarray(0, 100), name, testKeyring(old)), { code: 'BROKEN_SEAL' });
});

t.test(
  'the header contains neither the master key nor the data key, and the key’s id does not reveal the key',
  async (t) => {
    const { header, dataKey } = createHeader(name, testKeyring(old).present, segmentSize);
    t.notOk(header.includes(dataKey.subarray(0, 8)));
    t.notOk(header.includes(old.subarray(0, 8)));
    t.not(testKeyring(old).present.id, testKeyring(fresh).present.id);
    t.equal(testKeyring(old).present.id, testKeyring(Buffer.from(old)).present.id);
    t.notSame(
      createHeader(name, testKeyring(old).present, segmentSize).dataKey,
      dataKey,
      'each object has a separate data key',
    );
  },
);

t.test('every changed bit of a header is detected; one in the magic makes it plain with another size', async () => {
  fc.assert(
    fc.property(fc.nat(95), fc.nat(7), (at, bit) => {
      const { header } = createHeader(name, testKeyring(old).present, segmentSize);
      header[at] = (header[at] ?? 0) ^ (1 << bit);
      if (at < 8) return !isSealed(header) && plainSizeOf(header, 100_000) === undefined;
      try {
        openHeader(header, name, testKeyring(old));
        return false;
      } catch {
        return true;
      }
    }),
  );
});

t.test('a rewrap interrupted at any byte keeps the data key and can be repeated', async (t) => {
  const { header, dataKey } = createHeader(name, testKeyring(old).present, segmentSize);
  const keyring = testKeyring(fresh, old);
  const [write, clear, ...more] = rewrapInPlace(header, name, keyring, keyring.present);
  if (!write || !clear) throw new Error('nothing to write');
  t.same(more, []);
  const written = patched(header, write);
  for (const [before, patch] of [
    [header, write],
    [written, clear],
  ] as const) {
    for (let upTo = 0; upTo <= patch.bytes.length; upTo += 1) {
      let torn = patched(before, patch, upTo);
      t.same(openHeader(torn, name, keyring).dataKey, dataKey);
      for (const again of rewrapInPlace(torn, name, keyring, keyring.present)) torn = patched(torn, again);
      t.same(openHeader(torn, name, testKeyring(fresh)).dataKey, dataKey, 'afterwards only the new key opens it');
      t.throws(() => openHeader(torn, name, testKeyring(old)), new UnknownKey([testKeyring(fresh).present.id]));
      t.same(rewrapInPlace(torn, name, keyring, keyring.present), [], 'nothing is left to do');
    }
  }
});

t.test('a header can be rewrapped from key to key and back', async (t) => {
  let { header, dataKey } = createHeader(name, testKeyring(old).present, segmentSize);
  for (const keyring of [
    testKeyring(fresh, old),
    testKeyring(old, fresh),
    testKeyring(foreign, old),
    testKeyring(fresh, foreign),
  ]) {
    for (const patch of rewrapInPlace(header, name, keyring, keyring.present)) header = patched(header, patch);
    t.match(openHeader(header, name, keyring), { dataKey, key: { id: keyring.present.id } });
  }
});

t.test('a whole new header has the same data key under the present key only', async (t) => {
  const { header, dataKey } = createHeader(name, testKeyring(old).present, segmentSize);
  const keyring = testKeyring(fresh, old);
  const rewrapped = rewrapWhole(header, name, keyring, keyring.present);
  if (!rewrapped) throw new Error('nothing to do');
  t.same(openHeader(rewrapped, name, testKeyring(fresh)).dataKey, dataKey);
  t.equal(rewrapWhole(rewrapped, name, keyring, keyring.present), undefined);
});
