import t from 'tap';
import { createBufferPool, releaseMemory } from './buffer-memory.ts';

t.test('a returned buffer is reused, and buffers in use are not shared', async (t) => {
  const { acquire, release } = createBufferPool(100, 2);
  const [one, other, third] = [acquire(100), acquire(40), acquire(100)];
  t.same([one.length, other.length, third.length], [100, 40, 100]);
  t.equal(new Set([one.buffer, other.buffer, third.buffer]).size, 3);
  release(other);
  const again = acquire(70);
  t.equal(again.buffer, other.buffer);
  t.equal(again.length, 70);
  release(third);
  t.not(acquire(10).buffer, third.buffer, 'surplus buffers are not kept');
  const large = acquire(101);
  t.equal(large.length, 101);
  release(large);
  release(one);
  t.equal(acquire(100).buffer, one.buffer);
});

t.test('memory is released only if the buffer owns all of it', async (t) => {
  const whole = Buffer.allocUnsafeSlow(1000);
  releaseMemory(whole);
  t.equal(whole.length, 0);
  const part = Buffer.allocUnsafeSlow(1000);
  releaseMemory(part.subarray(0, 999));
  t.equal(part.length, 1000);
  releaseMemory(Buffer.alloc(0));
});
