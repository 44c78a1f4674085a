import t from 'tap';
import type { ImagePage } from '../../server/contract.ts';
import { type KeptPage, keptImages, removeImages, replaceImage } from '../image/wall/kept-page.ts';
import { createQueryStore } from '../query/query-store.ts';
import { imageOf } from '../testing/files.ts';
import type { Address } from './address.ts';
import { createImageList } from './image-list.ts';

const SIZE = 3;
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** A gallery of one letter per image, newest first, on a server that answers at once. */
function galleryOf(letters: string, isEstimate = false, language = 'en') {
  const server = { images: [...letters].map((name) => imageOf(name)), calls: 0 };
  const store = createQueryStore((work) => setImmediate(work));
  const imagesAt = createImageList(
    async ({ page, search }): Promise<ImagePage> => {
      server.calls += 1;
      const found = server.images.filter(({ filename }) => filename.includes(search));
      return {
        images: found.slice((page - 1) * SIZE, page * SIZE).map((image) => ({ ...image })),
        page,
        total: isEstimate ? found.length + server.calls : found.length,
        total_is_estimate: isEstimate,
        totalPages: Math.ceil(found.length / SIZE),
      };
    },
    () => language,
    (error) => {
      throw error;
    },
  );
  const at = (page: number, more: Partial<Address> = {}) => imagesAt({ page, search: '', ...more });
  const names = (page: number, more: Partial<Address> = {}) =>
    store
      .read<KeptPage>(at(page, more).key)
      .data?.images.map(({ filename }) => filename)
      .join('');
  const upload = (letters: string) => server.images.unshift(...[...letters].map((name) => imageOf(name)));
  return { server, store, at, names, upload };
}

t.test('after an upload, old pages are dropped', async (t) => {
  const { store, at, names, upload } = galleryOf('fedcba');
  await Promise.all([store.fetch(at(1)), store.prefetch(at(2))]);
  t.same([names(1), names(2)], ['fed', 'cba']);
  upload('zyx');
  store.watch(at(1), () => {});
  store.watch(at(2), () => {}, true);
  await turns();
  t.same([names(1), names(2)], ['zyx', 'fed']);
});

t.test('a page that nobody shows is dropped when another page shows that the list has moved', async (t) => {
  const { store, at, names, upload } = galleryOf('fedcba');
  await Promise.all([store.fetch(at(1)), store.fetch(at(2))]);
  upload('z');
  await store.fetch(at(2));
  t.same([names(1), names(2)], [undefined, 'dcb']);
});

t.test('estimated totals may differ from page to page', async (t) => {
  const { server, store, at, names } = galleryOf('fedcba', true);
  store.watch(at(1), () => {});
  store.watch(at(2), () => {}, true);
  await turns();
  await turns();
  t.same([names(1), names(2), server.calls], ['fed', 'cba', 2]);
});

t.test(
  'deleted images leave the page on the screen without a request, and the next page is loaded again',
  async (t) => {
    const { server, store, at, names } = galleryOf('fedcba');
    await store.fetch(at(1, { search: 'e' }));
    store.watch(at(1), () => {});
    store.watch(at(2), () => {}, true);
    await turns();
    const gone = server.images.splice(1, 1).map(({ id }) => id);
    removeImages(store, gone);
    t.same([names(1), names(1, { search: 'e' }), server.calls], ['fd', undefined, 3]);
    t.match(store.read(at(1).key).data, { total: 5, totalPages: 2 });
    await turns();
    t.same([names(2), server.calls], ['ba', 4]);
  },
);

t.test('a changed image is shown at once on each page that contains it', async (t) => {
  const { store, at, names } = galleryOf('fedcba');
  await Promise.all([store.fetch(at(1)), store.fetch(at(1, { search: 'e' })), store.fetch(at(2))]);
  const before = store.read<KeptPage>(at(2).key).data;
  replaceImage(store, ['images'], { ...imageOf('e'), filename: 'kite' });
  t.same([names(1), names(1, { search: 'e' })], ['fkited', 'kite']);
  t.equal(store.read(at(2).key).data, before);
  t.equal(keptImages(store).get(imageOf('e').id)?.filename, 'kite');
});

t.test('each order has its own pages', async (t) => {
  const { store, at, names } = galleryOf('ba');
  await store.fetch(at(1));
  t.equal(names(1, { sort: 'name-asc' }), undefined);
});
