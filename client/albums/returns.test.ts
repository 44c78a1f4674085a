import t from 'tap';
import type { Album } from '../../server/contract.ts';
import { imageOf } from '../testing/files.ts';
import { placesOf } from './returns.ts';

const images = (letters: string) => [...letters].map((name) => imageOf(name));
const idsOf = (letters: string) => images(letters).map(({ id }) => id);
const [a = '', , c = '', , e = ''] = idsOf('abcde');

/** The first page, of two, of an album. */
const page = (letters: string, cover: string | null = null) => ({
  images: images(letters),
  page: 1,
  totalPages: 2,
  album: { cover } as Album,
});
const next = async () => ({ images: images('e') });

t.test('neighbours go back together, before the picture that followed them', async (t) => {
  t.same(await placesOf(page('abcd'), images('abd'), next), {
    groups: [
      { ids: idsOf('ab'), before: c },
      { ids: idsOf('d'), before: e },
    ],
    cover: null,
  });
});

t.test('the last pictures of the album go back to its end', async (t) => {
  const last = { ...page('abcd', a), page: 2 };
  t.same(await placesOf(last, images('dc'), next), { groups: [{ ids: idsOf('cd'), before: null }], cover: null });
  t.equal((await placesOf(last, images('a'), next))?.cover, a);
});

t.test('pictures of another page have no known place', async (t) => {
  t.equal(await placesOf(page('abcd'), images('az'), next), undefined);
});
