import t from 'tap';
import type { AlbumPage } from '../../server/contract.ts';
import { beforeEarlier, beforeLater } from './neighbours.ts';

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
