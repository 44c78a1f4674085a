import t from 'tap';
import { untilLoaded } from './lazy-part.ts';

t.test('a part that fails to load is tried again, after longer and longer pauses, and reported once', async (t) => {
  let failures = 7;
  const pauses: number[] = [];
  const load = async () => {
    if (failures-- > 0) throw new Error('Failed to fetch dynamically imported module');
    return 'part';
  };
  t.equal(
    await untilLoaded(
      load,
      () => pauses.push(0),
      async (ms) => void pauses.push(ms),
    ),
    'part',
  );
  t.same(pauses, [1000, 2000, 0, 4000, 8000, 16_000, 30_000, 30_000]);
});
