import t from 'tap';
import { fileOf } from '../../testing/files.ts';
import { identityOf, readInBatches, sizeOf } from './file-info.ts';

/** A file that counts how often its size is read. */
function counted() {
  const file = fileOf('a.png', 7, 5);
  const reads = { count: 0 };
  Object.defineProperty(file, 'size', {
    get() {
      reads.count += 1;
      return 7;
    },
  });
  return { file, reads };
}

t.test('the size of a file is read once', async (t) => {
  const { file, reads } = counted();
  t.equal(sizeOf(file), 7);
  t.equal(sizeOf(file), 7);
  t.equal(identityOf(file), '7/5/a.png');
  t.equal(reads.count, 1);
});

t.test('the info of many files is read in batches, and only once', async (t) => {
  const all = Array.from({ length: 120 }, counted);
  const parts: number[] = [];
  for await (const part of readInBatches(all.map(({ file }) => file))) {
    parts.push(part.length);
    t.equal(
      all.filter(({ reads }) => reads.count > 0).length,
      parts.reduce((sum, count) => sum + count),
    );
  }
  t.same(parts, [50, 50, 20]);
  for (const { file } of all) sizeOf(file);
  t.ok(all.every(({ reads }) => reads.count === 1));
});
