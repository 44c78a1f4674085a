import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import {
  createHead,
  HEAD_SIZE,
  isSealed,
  openHead,
  type Patch,
  rewrapInPlace,
  rewrapWhole,
  UnknownKey,
} from './head.ts';
import { type Keyring, keyringOf } from './keyring.ts';

const name = 'originals/3f/0198.jpg';
const segmentSize = 2 ** 16;
const [old, fresh, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];

function ring(present: Buffer, ...previous: Buffer[]): Keyring & { present: NonNullable<Keyring['present']> } {
  const keyring = keyringOf({ present, previous });
  if (!keyring?.present) throw new Error('no ring');
  return { ...keyring, present: keyring.present };
}
const patched = (head: Buffer, { at, bytes }: Patch, upTo = bytes.length) => {
  const copy = Buffer.from(head);
  copy.set(bytes.subarray(0, upTo), at);
  return copy;
};

t.test('the data key comes back under the name that it was wrapped for, with its key, and not else', async (t) => {
  const { head, dataKey } = createHead(name, ring(old).present, segmentSize);
  t.equal(head.length, HEAD_SIZE);
  t.ok(isSealed(head));
  t.match(openHead(head, name, ring(old)), { dataKey, segmentSize, slot: 0 });
  t.match(openHead(head, name, ring(fresh, foreign, old)), { dataKey });
  t.throws(() => openHead(head, 'originals/3f/0199.jpg', ring(old)), { code: 'BROKEN_SEAL' });
  t.throws(() => openHead(head, name, ring(foreign)), new UnknownKey([ring(old).present.id]));
  t.throws(() => openHead(head.subarray(0, 100), name, ring(old)), { code: 'BROKEN_SEAL' });
});

t.test("neither the master key nor the data key stands in it, and the key's id tells nothing of the key", async (t) => {
  const { head, dataKey } = createHead(name, ring(old).present, segmentSize);
  t.notOk(head.includes(dataKey.subarray(0, 8)));
  t.notOk(head.includes(old.subarray(0, 8)));
  t.not(ring(old).present.id, ring(fresh).present.id);
  t.equal(ring(old).present.id, ring(Buffer.from(old)).present.id);
  t.notSame(createHead(name, ring(old).present, segmentSize).dataKey, dataKey, 'each object has its own');
});

t.test('no bit of it can be changed unnoticed', async () => {
  fc.assert(
    fc.property(fc.nat(95), fc.nat(7), (at, bit) => {
      const { head } = createHead(name, ring(old).present, segmentSize);
      head[at] = (head[at] ?? 0) ^ (1 << bit);
      try {
        openHead(head, name, ring(old));
        return false;
      } catch {
        return true;
      }
    }),
  );
});

t.test('a re-wrap that is cut off anywhere leaves the data key, and can be done again', async (t) => {
  const { head, dataKey } = createHead(name, ring(old).present, segmentSize);
  const keyring = ring(fresh, old);
  const [write, clear, ...more] = rewrapInPlace(head, name, keyring, keyring.present);
  if (!write || !clear) throw new Error('nothing to write');
  t.same(more, []);
  const written = patched(head, write);
  for (const [before, patch] of [
    [head, write],
    [written, clear],
  ] as const) {
    for (let upTo = 0; upTo <= patch.bytes.length; upTo += 1) {
      let torn = patched(before, patch, upTo);
      t.same(openHead(torn, name, keyring).dataKey, dataKey);
      for (const again of rewrapInPlace(torn, name, keyring, keyring.present)) torn = patched(torn, again);
      t.same(openHead(torn, name, ring(fresh)).dataKey, dataKey, 'then the new key alone opens it');
      t.throws(() => openHead(torn, name, ring(old)), new UnknownKey([ring(fresh).present.id]));
      t.same(rewrapInPlace(torn, name, keyring, keyring.present), [], 'and nothing is left to do');
    }
  }
});

t.test('it goes from key to key, and back', async (t) => {
  let { head, dataKey } = createHead(name, ring(old).present, segmentSize);
  for (const keyring of [ring(fresh, old), ring(old, fresh), ring(foreign, old), ring(fresh, foreign)]) {
    for (const patch of rewrapInPlace(head, name, keyring, keyring.present)) head = patched(head, patch);
    t.match(openHead(head, name, keyring), { dataKey, key: { id: keyring.present.id } });
  }
});

t.test('a whole new head has the same data key under the present key alone', async (t) => {
  const { head, dataKey } = createHead(name, ring(old).present, segmentSize);
  const keyring = ring(fresh, old);
  const anew = rewrapWhole(head, name, keyring, keyring.present);
  if (!anew) throw new Error('nothing to do');
  t.same(openHead(anew, name, ring(fresh)).dataKey, dataKey);
  t.equal(rewrapWhole(anew, name, keyring, keyring.present), undefined);
});
