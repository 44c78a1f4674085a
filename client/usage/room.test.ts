import t from 'tap';
import { roomOf } from './room.ts';

const usage = { images: 0, bytes: 0, max_images: null, max_bytes: null };

t.test('an account without limits shows no usage', async (t) => {
  t.equal(roomOf({ ...usage, images: 12, bytes: 3e9 }), null);
});

t.test('the nearest limit decides the percentage', async (t) => {
  t.match(roomOf({ images: 90, bytes: 1e9, max_images: 100, max_bytes: 4e9 }), { percent: 90, full: false });
  t.match(roomOf({ images: 1, bytes: 3e9, max_images: 100, max_bytes: 4e9 }), { percent: 75, full: false });
});

t.test('each limit that is set is shown', async (t) => {
  t.same(roomOf({ ...usage, bytes: 1, max_bytes: 10 })?.parts, [{ of: 'bytes', used: 1, most: 10 }]);
  t.same(roomOf({ ...usage, images: 2, max_images: 5 })?.parts, [{ of: 'images', used: 2, most: 5 }]);
});

t.test('a small usage is not 0 %, and almost full is not 100 %', async (t) => {
  t.match(roomOf({ ...usage, bytes: 1, max_bytes: 1e12 }), { percent: 1, full: false });
  t.match(roomOf({ ...usage, bytes: 1e12 - 1, max_bytes: 1e12 }), { percent: 99, full: false });
  t.match(roomOf({ ...usage, max_bytes: 1e12 }), { percent: 0, full: false });
});

t.test('an account over a lowered limit is full', async (t) => {
  t.match(roomOf({ ...usage, images: 7, max_images: 5 }), { percent: 100, full: true });
});
