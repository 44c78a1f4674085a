import t from 'tap';
import { fileOf } from '../../testing/files.ts';
import { addFiles } from '../list/pending.ts';
import { FIRST_LIMITS, limitsAfter, smallerThan, takeGroup } from './groups.ts';

function listOf(...sizes: number[]) {
  let id = 0;
  return addFiles(
    [],
    sizes.map((size, index) => fileOf(`${index}.png`, size)),
    () => ++id,
  );
}

t.test('a request stays within the limits of files and bytes', async (t) => {
  t.equal(takeGroup(listOf(1, 1, 1), { maxFiles: 2, maxBytes: 100 }).length, 2);
  t.equal(takeGroup(listOf(40, 40, 40), { maxFiles: 100, maxBytes: 90 }).length, 2);
  t.equal(takeGroup(listOf(40, 40), { maxFiles: 100, maxBytes: 100 }).length, 2);
});

t.test('a single file is sent whatever its size', async (t) => {
  t.equal(takeGroup(listOf(500, 1), { maxFiles: 100, maxBytes: 90 }).length, 1);
  t.equal(takeGroup([], { maxFiles: 100, maxBytes: 90 }).length, 0);
});

t.test('a request that was cut off or too large is halved, down to one file', async (t) => {
  t.match(smallerThan(100, FIRST_LIMITS), { maxFiles: 50, maxBytes: 4_000_000 });
  t.match(smallerThan(7, FIRST_LIMITS), { maxFiles: 3 });
  t.match(smallerThan(1, { maxFiles: 1, maxBytes: 1_000_000 }), { maxFiles: 1, maxBytes: 1_000_000 });
});

t.test('requests grow on a fast line and shrink on a slow one', async (t) => {
  const after = (count: number, ms: number) =>
    Array.from({ length: count }).reduce<typeof FIRST_LIMITS>((limits) => limitsAfter(limits, ms), FIRST_LIMITS);
  t.equal(after(1, 500).maxBytes, 16_000_000);
  t.equal(after(9, 500).maxBytes, 16_000_000);
  t.equal(after(9, 5000).maxBytes, 8_000_000);
  t.equal(after(9, 60_000).maxBytes, 1_000_000);
});
