import t from 'tap';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

function all<T>(queue: FairQueue<T>): T[] {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

t.test('an owner with one item waits for one item of each other owner', async (t) => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push('a', item);
  for (const item of ['b1', 'b2']) queue.push('b', item);
  queue.push('c', 'c1');
  t.equal(queue.size, 7);
  t.equal(queue.peek(), 'a1');
  t.same(all(queue), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  t.equal(queue.size, 0);
});

t.test('a new owner follows the owners still waiting for a turn', async (t) => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  t.equal(queue.shift(), 'a1');
  queue.push('b', 'b1');
  t.same(all(queue), ['a2', 'b1', 'a3']);
});

t.test('a removed item is not served and does not use its owner’s turn', async (t) => {
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

t.test('clear returns the waiting items', async (t) => {
  const queue = createFairQueue<string>();
  queue.push('a', 'a1');
  queue.push('b', 'b1');
  t.same(queue.clear(), ['a1', 'b1']);
  t.equal(queue.shift(), undefined);
  t.equal(queue.size, 0);
});
