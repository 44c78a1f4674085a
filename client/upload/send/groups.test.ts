import t from 'tap';
import { fileOf } from '../../testing/files.ts';
import { addFiles } from '../list/pending.ts';
import { halve, takeBatch } from './groups.ts';

function listOf(...sizes: number[]) {
  let id = 0;
  return addFiles(
    [],
    sizes.map((size, index) => fileOf(`${index}.png`, size)),
    () => ++id,
  );
}

t.test('a request stays within the limits of files and bytes', async (t) => {
  t.equal(takeBatch(listOf(1, 1, 1), 2, 100).length, 2);
  t.equal(takeBatch(listOf(40, 40, 40), 100, 90).length, 2);
  t.equal(takeBatch(listOf(40, 40), 100, 100).length, 2);
});

t.test('a single file is sent whatever its size', async (t) => {
  t.equal(takeBatch(listOf(500, 1), 100, 90).length, 1);
  t.equal(takeBatch([], 100, 90).length, 0);
});

t.test('halving stops at one', async (t) => {
  t.same([100, 7, 1].map(halve), [50, 3, 1]);
});
