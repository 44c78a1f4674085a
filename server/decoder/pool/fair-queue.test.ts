import t from 'tap';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

function all<T>(queue: FairQueue<T>): T[] {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

t.test('who asks for one thing waits for one of each other, not for all of them', async (t) => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push('a', item);
  for (const item of ['b1', 'b2']) queue.push('b', item);
  queue.push('c', 'c1');
  t.equal(queue.size, 7);
  t.same(all(queue), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  t.equal(queue.size, 0);
});

t.test('whoever comes later is next after those who have had no turn yet', async (t) => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  t.equal(queue.shift(), 'a1');
  queue.push('b', 'b1');
  t.same(all(queue), ['a2', 'b1', 'a3']);
});

t.test('what is taken out is never served, and costs its owner no turn', async (t) => {
  const queue = createFairQueue<string>();
  queue.push('a', 'a1');
  queue.push('b', 'b1');
  queue.push('b', 'b2');
  queue.remove('a', 'a1');
  queue.remove('a', 'a1');
  queue.remove('b', 'other');
  t.equal(queue.size, 2);
  t.same(all(queue), ['b1', 'b2']);
});

t.test('emptied, it tells what waited', async (t) => {
  const queue = createFairQueue<string>();
  queue.push('a', 'a1');
  queue.push('b', 'b1');
  t.same(queue.clear(), ['a1', 'b1']);
  t.equal(queue.shift(), undefined);
  t.equal(queue.size, 0);
});
