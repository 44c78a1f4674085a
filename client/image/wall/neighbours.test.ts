import t from 'tap';
import { imageOf } from '../../testing/files.ts';
import { around, neighbourOf } from './neighbours.ts';

const images = ['a', 'b', 'c'].map((name) => imageOf(name));
const [a, b, c] = images;
const id = (name: string) => imageOf(name).id;

t.test('the neighbour of an image is the next one, or the one before the last', async (t) => {
  t.equal(neighbourOf(images, id('a')), b);
  t.equal(neighbourOf(images, id('c')), b);
  t.equal(neighbourOf([imageOf('a')], id('a')), undefined);
  t.equal(neighbourOf(images, 'other'), undefined);
});

t.test('the first image has no previous one, and the last has no next one', async (t) => {
  t.match(around(images, id('a')), { index: 0, current: a, previous: undefined, next: b });
  t.match(around(images, id('c')), { index: 2, current: c, previous: b, next: undefined });
  t.match(around(images, 'other'), { index: -1, current: undefined, previous: undefined, next: undefined });
});
