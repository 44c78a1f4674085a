import t from 'tap';
import { fileOf } from '../testing/files.ts';
import { halve, takeBatch } from './batches.ts';
import { addFiles } from './pending.ts';

function listOf(...sizes: number[]) {
  let id = 0;
  return addFiles(
    [],
    sizes.map((size, index) => fileOf(`${index}.png`, size)),
    () => ++id,
  );
}

t.test('a request holds no more files and bytes than it may', async (t) => {
  t.equal(takeBatch(listOf(1, 1, 1), 2, 100).length, 2);
  t.equal(takeBatch(listOf(40, 40, 40), 100, 90).length, 2);
  t.equal(takeBatch(listOf(40, 40), 100, 100).length, 2);
});

t.test('one file goes however large it is', async (t) => {
  t.equal(takeBatch(listOf(500, 1), 100, 90).length, 1);
  t.equal(takeBatch([], 100, 90).length, 0);
});

t.test('halving ends at one', async (t) => {
  t.same([100, 7, 1].map(halve), [50, 3, 1]);
});
