import fc from 'fast-check';
import t from 'tap';
import { GAP, positionsBetween } from './positions.ts';

const position = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });

t.test('new positions are between their neighbours, in order', async (t) => {
  fc.assert(
    fc.property(position, position, fc.integer({ min: 1, max: 100 }), (one, other, count) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const positions = positionsBetween(low, high, count);
      if (positions === undefined) return high - low <= count;
      const all = [low, ...positions, high];
      return positions.length === count && all.every((number, index) => index === 0 || number > (all[index - 1] ?? 0));
    }),
  );
  t.pass();
});

t.test('positions at either end, or of the first items, have room on the open side', async (t) => {
  t.same(positionsBetween(undefined, undefined, 2), [GAP, 2 * GAP]);
  t.same(positionsBetween(GAP, undefined, 2), [2 * GAP, 3 * GAP]);
  t.same(positionsBetween(undefined, GAP, 2), [-GAP, 0]);
});

t.test('no positions are returned if the numbers would not be exact', async (t) => {
  t.equal(positionsBetween(2 ** 52 - 1, undefined, 1), undefined);
  t.equal(positionsBetween(undefined, 1 - 2 ** 52, 1), undefined);
  t.equal(positionsBetween(7, 8, 1), undefined);
});
