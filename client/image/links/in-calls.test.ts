import t from 'tap';
import type { Image } from '../../../server/contract.ts';
import { inCalls } from './in-calls.ts';

const ids = Array.from({ length: 250 }, (_, index) => `id-${index}`);
const answer = (some: readonly string[]) => ({ images: some.map((id) => ({ id }) as Image), unknown: [] });

t.test('the links of many images are replaced in calls of at most 100', async (t) => {
  const calls: number[] = [];
  const { images, error } = await inCalls(ids, async (some) => {
    calls.push(some.length);
    return answer(some);
  });
  t.same(calls, [100, 100, 50]);
  t.same(
    images.map(({ id }) => id),
    ids,
  );
  t.equal(error, undefined);
});

t.test('a failed call ends the others, and what was replaced before is kept', async (t) => {
  const failure = new Error('no');
  let calls = 0;
  const { images, error } = await inCalls(ids, async (some) => {
    calls += 1;
    if (calls === 2) throw failure;
    return answer(some);
  });
  t.equal(calls, 2);
  t.equal(images.length, 100);
  t.equal(error, failure);
});
