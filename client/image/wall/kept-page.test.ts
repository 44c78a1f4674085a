import t from 'tap';
import { imageOf } from '../../testing/files.ts';
import { deletedBefore, keepPage, lastPageInstead, pageInstead, withoutImage } from './kept-page.ts';

const pageOf = (page: number, count: number, total: number, totalPages: number) =>
  keepPage({
    page,
    total,
    total_is_estimate: false,
    totalPages,
    images: Array.from({ length: count }, (_, index) => imageOf(`${index}`)),
  });
const id = (index: number) => imageOf(`${index}`).id;

t.test('a deleted image is removed from the page and its totals', async (t) => {
  const left = withoutImage(pageOf(1, 3, 3, 1), id(1));
  t.same(
    left.images.map((image) => image.filename),
    ['0', '2'],
  );
  t.match(left, { total: 2, totalPages: 1 });
  t.equal(pageInstead(left), null);
});

t.test('a page without the deleted image stays the same object', async (t) => {
  const page = pageOf(1, 3, 3, 1);
  t.equal(withoutImage(page, 'other'), page);
});

t.test('deleting the only image leaves an empty gallery', async (t) => {
  const left = withoutImage(pageOf(1, 1, 1, 1), id(0));
  t.match(left, { total: 0, totalPages: 0 });
  t.equal(pageInstead(left), null);
});

t.test('deleting the last image of the last page leads to the page before', async (t) => {
  const left = withoutImage(pageOf(3, 1, 49, 3), id(0));
  t.match(left, { total: 48, totalPages: 2 });
  t.equal(pageInstead(left), 2);
});

t.test('deleting an image of a full page keeps that page', async (t) => {
  const left = withoutImage(pageOf(1, 24, 60, 3), id(0));
  t.match(left, { total: 59, totalPages: 3 });
  t.equal(pageInstead(left), null);
});

t.test('deleting every image of the first page reloads it while others follow', async (t) => {
  const left = withoutImage(pageOf(1, 1, 3, 3), id(0));
  t.equal(pageInstead(left), 1);
});

t.test('a page that becomes the last is reloaded for the images that moved to it', async (t) => {
  const left = withoutImage(pageOf(1, 24, 25, 2), id(0));
  t.match(left, { total: 24, totalPages: 1 });
  t.equal(pageInstead(left), 1);
});

t.test('another page is requested so that no image between it and this page is skipped', async (t) => {
  const first = [3, 4].map(id).reduce(withoutImage, pageOf(1, 24, 77, 4));
  t.same([deletedBefore(1, first), deletedBefore(2, first), deletedBefore(4, first)], [0, 2, 2]);
  const second = withoutImage(keepPage({ ...pageOf(2, 24, 75, 4) }, 2), id(0));
  t.match(second, { total: 74, totalPages: 4 }, 'the pages before count as they were listed');
  t.same([deletedBefore(1, second), deletedBefore(2, second), deletedBefore(3, second)], [0, 2, 3]);
  const last = withoutImage(keepPage(pageOf(4, 2, 71, 4), 3), id(0));
  t.match(last, { pageSize: 24, total: 70, totalPages: 4 });
  t.equal(pageInstead(last), null);
});

t.test('an address past the end leads to the last page', async (t) => {
  t.equal(lastPageInstead(pageOf(9, 0, 49, 3), 9), 3);
  t.equal(lastPageInstead(pageOf(1, 0, 0, 0), 9), null);
  t.equal(lastPageInstead(pageOf(2, 1, 25, 2), 2), null);
});
