import fc from 'fast-check';
import t from 'tap';
import { GAP, positionsBetween } from './positions.ts';

const place = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });

t.test('what is put between two stands between them, in its order', async (t) => {
  fc.assert(
    fc.property(place, place, fc.integer({ min: 1, max: 100 }), (one, other, count) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const places = positionsBetween(low, high, count);
      if (places === undefined) return high - low <= count;
      const all = [low, ...places, high];
      return places.length === count && all.every((number, index) => index === 0 || number > (all[index - 1] ?? 0));
    }),
  );
  t.pass();
});

t.test('the first, the last and the only ones have room on their open side', async (t) => {
  t.same(positionsBetween(undefined, undefined, 2), [GAP, 2 * GAP]);
  t.same(positionsBetween(GAP, undefined, 2), [2 * GAP, 3 * GAP]);
  t.same(positionsBetween(undefined, GAP, 2), [-GAP, 0]);
});

t.test('where numbers would no longer be exact, there is no room', async (t) => {
  t.equal(positionsBetween(2 ** 52 - 1, undefined, 1), undefined);
  t.equal(positionsBetween(undefined, 1 - 2 ** 52, 1), undefined);
  t.equal(positionsBetween(7, 8, 1), undefined);
});
