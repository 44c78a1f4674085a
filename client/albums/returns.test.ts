import t from 'tap';
import { imageOf } from '../testing/files.ts';
import { placesOf } from './returns.ts';

const images = (letters: string) => [...letters].map((name) => imageOf(name));
const idsOf = (letters: string) => images(letters).map(({ id }) => id);
const [a = '', b = '', c = '', , e = '', f = ''] = idsOf('abcdef');

const noCover = { cover: null };
/** A page, of two, of an album. */
const page = (letters: string, number = 1) => ({ images: images(letters), page: number, totalPages: 2 });
const next = async () => ({ images: images('e') });

t.test('neighbours go back together, before the picture that followed them', async (t) => {
  t.same(await placesOf(noCover, [page('abcd')], images('abd'), next), {
    groups: [
      { ids: idsOf('ab'), before: c },
      { ids: idsOf('d'), before: e },
    ],
    cover: null,
  });
});

t.test('the last pictures of the album go back to its end', async (t) => {
  const last = [page('abcd', 2)];
  t.same(await placesOf({ cover: a }, last, images('dc'), next), {
    groups: [{ ids: idsOf('cd'), before: null }],
    cover: null,
  });
  t.equal((await placesOf({ cover: a }, last, images('a'), next)).cover, a);
});

t.test('pictures of several pages go back to their places, and those of unknown pages to the end', async (t) => {
  t.same(await placesOf(noCover, [page('abcd'), page('ef', 2)], images('zdea'), next), {
    groups: [
      { ids: idsOf('a'), before: b },
      { ids: idsOf('d'), before: e },
      { ids: idsOf('e'), before: f },
      { ids: idsOf('z'), before: null },
    ],
    cover: null,
  });
});
