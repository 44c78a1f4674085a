import t from 'tap';
import { createViewCounter } from './view-counter.ts';

t.test('views of a failed write are written with the next one', async (t) => {
  const written: [string, number][] = [];
  const errors: unknown[] = [];
  let isDown = true;
  const views = createViewCounter({
    async add(id, number) {
      if (isDown) throw new Error('the database is down');
      written.push([id, number]);
    },
    onError: (error) => void errors.push(error),
  });
  views.count('a');
  views.count('a');
  await views.flush();
  t.same([written, errors.length], [[], 1]);
  isDown = false;
  views.count('a');
  await views.flush();
  await views.flush();
  views.stop();
  t.same(written, [['a', 3]]);
});

t.test('views are written by one flush at a time, which all wait for', async (t) => {
  let running = 0;
  let most = 0;
  const written: number[] = [];
  const views = createViewCounter({
    async add(_id, number) {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      written.push(number);
      running -= 1;
    },
    onError: (error) => t.fail(String(error)),
  });
  views.count('a');
  const first = views.flush();
  await Promise.resolve();
  views.count('a');
  await Promise.all([first, views.flush()]);
  views.stop();
  t.same([most, written], [1, [1, 1]]);
});
