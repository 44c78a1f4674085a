import t from 'tap';
import type { AlbumPage } from '../../server/contract.ts';
import { beforeEarlier, beforeLater, beforePlace } from './neighbours.ts';
import { reordered } from './reordered.ts';

const pages = [['a', 'b'], ['c', 'd'], ['e']];
const images = (page: number) => (pages[page - 1] ?? []).map((id) => ({ id })) as AlbumPage['images'];
const shown = (page: number) => ({ images: images(page), page, totalPages: pages.length });
const pageOf = async (page: number) => ({ images: images(page) });

t.test('moving an image earlier puts it before the previous one, also across pages', async (t) => {
  t.equal(await beforeEarlier(shown(1), 0, pageOf), undefined);
  t.equal(await beforeEarlier(shown(1), 1, pageOf), 'a');
  t.equal(await beforeEarlier(shown(2), 0, pageOf), 'b');
});

t.test('moving an image later puts it before the one after next, also across pages', async (t) => {
  t.equal(await beforeLater(shown(1), 0, pageOf), 'c');
  t.equal(await beforeLater(shown(1), 1, pageOf), 'd');
  t.equal(await beforeLater(shown(2), 0, pageOf), 'e');
  t.equal(await beforeLater(shown(2), 1, pageOf), null);
  t.equal(await beforeLater(shown(3), 0, pageOf), undefined);
});

t.test("a dragged image is put before its drop target, or before the next page's first image", async (t) => {
  t.equal(await beforePlace(shown(1), 1, pageOf), 'b');
  t.equal(await beforePlace(shown(1), 2, pageOf), 'c');
  t.equal(await beforePlace(shown(3), 1, pageOf), null);
});

t.test('the other images close the gap', async (t) => {
  t.same(reordered(['a', 'b', 'c'], 0, 2), ['b', 'a', 'c']);
  t.same(reordered(['a', 'b', 'c'], 0, 3), ['b', 'c', 'a']);
  t.same(reordered(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
});
