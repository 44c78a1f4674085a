import t from 'tap';
import { ApiError } from '../../api/api-error.ts';
import { imageOf } from '../../testing/files.ts';
import { deleteAll } from './outcome.ts';

const images = ['a', 'b', 'c', 'd', 'e'].map((name) => imageOf(name));
const [a, b, c] = images.map(({ id }) => id);
const nothing = async () => {};

t.test('at most three images are deleted at once', async (t) => {
  let running = 0;
  const most: number[] = [];
  const { gone } = await deleteAll(images, async () => {
    running += 1;
    most.push(running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
  t.equal(Math.max(...most), 3);
  t.equal(gone.size, 5);
});

t.test('an image that was deleted before is gone, and others keep their reason', async (t) => {
  const refusals = new Map([
    [a, new ApiError(404, 'NOT_FOUND', 'no image')],
    [b, new ApiError(503, 'SERVER_BUSY', 'busy')],
    [c, new TypeError('no reason')],
  ]);
  const { gone, missing, problems } = await deleteAll(images, async (id) => {
    const refusal = refusals.get(id);
    if (refusal) throw refusal;
  });
  t.equal(gone.size, 3);
  t.same([...missing], [a]);
  t.same(
    [...problems],
    [
      [b, 'busy'],
      [c, ''],
    ],
  );
});

t.test('nothing more is deleted once the session is over', async (t) => {
  const asked: string[] = [];
  const { gone, problems } = await deleteAll(images, async (id) => {
    asked.push(id);
    throw new ApiError(401, 'UNAUTHORIZED', 'over');
  });
  t.same([asked.length, gone.size, problems.size], [3, 0, 0]);
  t.equal((await deleteAll([], nothing)).gone.size, 0);
});
