import t from 'tap';
import { fileOf, guestImageOf, imageOf, rejectionOf } from '../../testing/files.ts';
import { matchOutcomes } from './match-answer.ts';

const storedOf = (...args: Parameters<typeof matchOutcomes>) =>
  matchOutcomes(...args).map((one) => one?.stored ?? null);

t.test('each file gets its own outcome', async (t) => {
  const files = [fileOf('a.png'), fileOf('b.txt'), fileOf('c.png')];
  const images = [imageOf('a.png', 10, { location: 'removed' }), imageOf('c.png', 10, { duplicate: true })];
  t.same(matchOutcomes(files, { images, rejected: [rejectionOf('b.txt')] }), [
    { stored: true, location: 'removed', duplicate: false },
    { stored: false, code: 'NOT_AN_IMAGE', message: 'b.txt is no image' },
    { stored: true, location: 'none', duplicate: true },
  ]);
});

t.test('files of the same name are matched by size and order', async (t) => {
  const files = [fileOf('a.png', 10), fileOf('a.png', 20), fileOf('z.png')];
  t.same(storedOf(files, { images: [imageOf('a.png', 20), imageOf('z.png')], rejected: [rejectionOf('a.png')] }), [
    false,
    true,
    true,
  ]);
  t.same(storedOf(files, { images: [imageOf('a.png', 10), imageOf('z.png')], rejected: [rejectionOf('a.png')] }), [
    true,
    false,
    true,
  ]);
});

t.test("a guest's files of the same name are matched by size, also if the first was refused", async (t) => {
  const files = [fileOf('image.jpg', 10), fileOf('image.jpg', 20), fileOf('image.jpg', 30)];
  const images = [guestImageOf('image.jpg', 20), guestImageOf('image.jpg', 30)];
  t.same(matchOutcomes(files, { images, rejected: [rejectionOf('image.jpg')] }), [
    { stored: false, code: 'NOT_AN_IMAGE', message: 'image.jpg is no image' },
    { stored: true, location: 'none', duplicate: false },
    { stored: true, location: 'none', duplicate: false },
  ]);
});

t.test('a filename that the server cleaned still matches its file', async (t) => {
  const files = [fileOf('odd\u0007name.png', 10), fileOf('cafe\u0301.png', 20), fileOf('renamed.png', 30)];
  t.same(
    storedOf(files, {
      images: [imageOf('oddname.png', 10), imageOf('as-it-likes.png', 30)],
      rejected: [rejectionOf('café.png')],
    }),
    [true, false, true],
  );
});

t.test('a file missing from the answer has no outcome', async (t) => {
  const files = [fileOf('a.png'), fileOf('b.png'), fileOf('c.png')];
  t.same(storedOf(files, { images: [imageOf('a.png')], rejected: [rejectionOf('c.png')] }), [true, null, false]);
});

t.test('an answer with all files stored, or all refused, needs no names', async (t) => {
  const files = [fileOf('a.png'), fileOf('b.png')];
  t.same(storedOf(files, { images: [imageOf('x'), imageOf('y')], rejected: [] }), [true, true]);
  t.same(storedOf(files, { images: [], rejected: [rejectionOf('x'), rejectionOf('y')] }), [false, false]);
});
