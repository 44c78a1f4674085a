import t from 'tap';
import { imageOf } from '../../testing/files.ts';
import { keepPage } from './kept-page.ts';
import { locate } from './locate.ts';

const idOf = (name: string) => imageOf(name).id;

/** Pages of these letters; `asked` lists the pages that were requested. */
function pagesOf(...pages: string[]) {
  const asked: number[] = [];
  const pageOf = async (page: number) => {
    asked.push(page);
    const images = [...(pages[page - 1] ?? '')].map((name) => imageOf(name));
    return keepPage({ images, page, total: pages.join('').length, totalPages: pages.length });
  };
  return { asked, pageOf };
}

t.test('an image that an upload has moved is found on a later page', async (t) => {
  const { asked, pageOf } = pagesOf('zyx', 'wvu', 'fed', 'cba');
  t.equal(await locate(idOf('f'), 1, pageOf), 3);
  t.same(asked, [1, 2, 3]);
});

t.test('an image that a deletion has moved is found on the page before', async (t) => {
  t.equal(await locate(idOf('b'), 2, pagesOf('edb', 'a').pageOf), 1);
});

t.test('a deleted image is not found', async (t) => {
  const { asked, pageOf } = pagesOf('zyx', 'wvu');
  t.equal(await locate(idOf('f'), 1, pageOf), undefined);
  t.same(asked, [1, 2]);
});

t.test('the search ends at a page that does not load, and after some pages', async (t) => {
  t.equal(await locate(idOf('f'), 1, async () => undefined), undefined);
  const { asked, pageOf } = pagesOf(...Array.from({ length: 30 }, () => 'z'));
  t.equal(await locate(idOf('f'), 1, pageOf), undefined);
  t.equal(asked.length, 8);
});
