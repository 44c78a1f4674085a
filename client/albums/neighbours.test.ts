import t from 'tap';
import type { AlbumPage } from '../../server/contract.ts';
import { beforeEarlier, beforeLater, beforePlace, reordered } from './neighbours.ts';

const pages = [['a', 'b'], ['c', 'd'], ['e']];
const images = (page: number) => (pages[page - 1] ?? []).map((id) => ({ id })) as AlbumPage['images'];
const shown = (page: number) => ({ images: images(page), page, totalPages: pages.length });
const pageOf = async (page: number) => ({ images: images(page) });

t.test('an image is put before the one it passes, also over the edge of a page', async (t) => {
  t.equal(await beforeEarlier(shown(1), 0, pageOf), undefined);
  t.equal(await beforeEarlier(shown(1), 1, pageOf), 'a');
  t.equal(await beforeEarlier(shown(2), 0, pageOf), 'b');
});

t.test('it is put behind the next one, before the one after that', async (t) => {
  t.equal(await beforeLater(shown(1), 0, pageOf), 'c');
  t.equal(await beforeLater(shown(1), 1, pageOf), 'd');
  t.equal(await beforeLater(shown(2), 0, pageOf), 'e');
  t.equal(await beforeLater(shown(2), 1, pageOf), null);
  t.equal(await beforeLater(shown(3), 0, pageOf), undefined);
});

t.test(
  'a dragged image is put before the one it is dropped before, behind the last before the next page',
  async (t) => {
    t.equal(await beforePlace(shown(1), 1, pageOf), 'b');
    t.equal(await beforePlace(shown(1), 2, pageOf), 'c');
    t.equal(await beforePlace(shown(3), 1, pageOf), null);
  },
);

t.test('the others close up behind it', async (t) => {
  t.same(reordered(['a', 'b', 'c'], 0, 2), ['b', 'a', 'c']);
  t.same(reordered(['a', 'b', 'c'], 0, 3), ['b', 'c', 'a']);
  t.same(reordered(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
});
