import t from 'tap';
import type { Image, ImagePage } from '../../server/contract.ts';
import type { Address } from './address.ts';
import { createPages } from './pages.ts';

const image = (id: string): Image => ({
  id,
  url: '',
  description: '',
  filename: `${id}.png`,
  uploaded_at: '',
  thumbnail_url: '',
  thumbnail_avif_url: null,
  screen_url: '',
  screen_avif_url: null,
  width: 1,
  height: 1,
  size: 1,
  content_type: 'image/png',
  placeholder: '',
  camera: null,
  location: 'none',
});

const at = (page: number, search = ''): Address => ({ page, search });
const answer = (page: number, ...ids: string[]): ImagePage => ({
  images: ids.map(image),
  page,
  total: 6,
  total_is_estimate: false,
  totalPages: 3,
});

/** Pages whose calls the test answers, in the order in which they were made. */
function byHand() {
  const calls: {
    address: Address;
    signal: AbortSignal;
    quietly: boolean;
    answer: (page: ImagePage) => void;
    fail: (error: Error) => void;
  }[] = [];
  const pages = createPages((address, signal, quietly) => {
    return new Promise((resolve, reject) => calls.push({ address, signal, quietly, answer: resolve, fail: reject }));
  });
  const ids = (address: Address) => pages.read(address).kept?.images.map(({ id }) => id);
  return { pages, calls, ids };
}

t.test('a cached page is shown at once, and reloaded', async (t) => {
  const { pages, calls, ids } = byHand();
  const first = pages.load(at(1));
  t.match(pages.read(at(1)), { kept: undefined, fetching: true });
  calls[0]?.answer(answer(1, 'a', 'b'));
  await first;
  t.same(ids(at(1)), ['a', 'b']);
  const again = pages.load(at(1));
  t.same(ids(at(1)), ['a', 'b'], 'meanwhile');
  calls[1]?.answer(answer(1, 'new', 'a'));
  await again;
  t.same(ids(at(1)), ['new', 'a']);
});

t.test('a second load joins the call in flight', async (t) => {
  const { pages, calls } = byHand();
  const both = [pages.load(at(1)), pages.load(at(1))];
  t.equal(calls.length, 1);
  calls[0]?.answer(answer(1, 'a'));
  await Promise.all(both);
});

t.test('leaving a page aborts its call and ignores a late answer', async (t) => {
  const { pages, calls, ids } = byHand();
  const loading = pages.load(at(1));
  pages.leave(at(1));
  t.ok(calls[0]?.signal.aborted);
  t.equal(pages.read(at(1)).fetching, false);
  calls[0]?.answer(answer(1, 'late'));
  await loading;
  t.equal(ids(at(1)), undefined);
});

t.test('a failure is reported and counted, and keeps the cached page', async (t) => {
  const { pages, calls, ids } = byHand();
  const first = pages.load(at(1));
  calls[0]?.answer(answer(1, 'a'));
  await first;
  const second = pages.load(at(1));
  calls[1]?.fail(new Error('no'));
  await second;
  t.match(pages.read(at(1)), { error: new Error('no'), failures: 1, fetching: false });
  t.same(ids(at(1)), ['a']);
  const third = pages.load(at(1));
  calls[2]?.answer(answer(1, 'b'));
  await third;
  t.match(pages.read(at(1)), { error: undefined, failures: 1 });
});

t.test('an unchanged image stays the same object, which avoids a render', async (t) => {
  const { pages, calls } = byHand();
  const first = pages.load(at(1));
  calls[0]?.answer(answer(1, 'a', 'b'));
  await first;
  const before = pages.read(at(1)).kept?.images;
  const second = pages.load(at(1));
  const changed = answer(1, 'a', 'b');
  changed.images[1] = { ...image('b'), thumbnail_avif_url: 'https://x/b.avif' };
  calls[1]?.answer(changed);
  await second;
  const after = pages.read(at(1)).kept?.images;
  t.equal(after?.[0], before?.[0]);
  t.not(after?.[1], before?.[1]);
});

t.test('a deletion removes the image, forgets the other pages, and aborts older calls', async (t) => {
  const { pages, calls, ids } = byHand();
  const both = [pages.load(at(1)), pages.load(at(2))];
  calls[0]?.answer(answer(1, 'a', 'b'));
  calls[1]?.answer(answer(2, 'c', 'd'));
  await Promise.all(both);
  const reload = pages.load(at(1));
  t.match(pages.drop('a', at(1)), { total: 5 });
  t.ok(calls[2]?.signal.aborted);
  calls[2]?.answer(answer(1, 'a', 'b'));
  await reload;
  t.same(ids(at(1)), ['b']);
  t.equal(ids(at(2)), undefined);
});

t.test('a deletion on another page reloads the current page', async (t) => {
  const { pages, calls, ids } = byHand();
  const first = pages.load(at(1));
  calls[0]?.answer(answer(1, 'a', 'b'));
  await first;
  void pages.load(at(2));
  pages.drop('a', at(2));
  t.equal(calls[1]?.signal.aborted, true, 'an answer to an older call may be stale');
  t.equal(calls.length, 3);
  calls[2]?.answer(answer(2, 'c', 'd'));
  await new Promise((resolve) => setImmediate(resolve));
  t.same(ids(at(2)), ['c', 'd']);
});

t.test('a failure is not reported again after leaving and returning', async (t) => {
  const { pages, calls } = byHand();
  const first = pages.load(at(1));
  calls[0]?.fail(new Error('no'));
  await first;
  t.ok(pages.read(at(1)).error);
  pages.leave(at(1));
  void pages.load(at(1));
  t.match(pages.read(at(1)), { error: undefined, fetching: true });
});

t.test('a refresh reloads the page, even while it is loading', async (t) => {
  const { pages, calls, ids } = byHand();
  const old = pages.load(at(1));
  const fresh = pages.refresh(at(1));
  t.ok(calls[0]?.signal.aborted);
  calls[0]?.answer(answer(1, 'old'));
  calls[1]?.answer(answer(1, 'new'));
  await Promise.all([old, fresh]);
  t.same(ids(at(1)), ['new']);
});

t.test('only the most recent pages are cached', async (t) => {
  const { pages, calls, ids } = byHand();
  for (let page = 1; page <= 20; page++) {
    const loading = pages.load(at(page));
    calls.at(-1)?.answer(answer(page, `${page}`));
    await loading;
  }
  t.equal(ids(at(1)), undefined);
  t.same(ids(at(20)), ['20']);
  t.same(ids(at(9)), ['9']);
});

t.test('a cleared cache holds nothing and ignores late answers', async (t) => {
  const { pages, calls, ids } = byHand();
  const both = [pages.load(at(1)), pages.load(at(2))];
  calls[0]?.answer(answer(1, 'a'));
  await both[0];
  pages.clear();
  calls[1]?.answer(answer(2, 'b'));
  await both[1];
  t.same([ids(at(1)), ids(at(2))], [undefined, undefined]);
});

t.test('a prefetched page is shown at once, and reloaded then', async (t) => {
  const { pages, calls, ids } = byHand();
  const ahead = pages.prefetch(at(2));
  t.equal(calls[0]?.quietly, true);
  calls[0]?.answer(answer(2, 'c'));
  t.match(await ahead, { page: 2 });
  t.match(await pages.prefetch(at(2)), { page: 2 }, 'a second prefetch makes no call');
  t.equal(calls.length, 1);
  void pages.load(at(2));
  t.same(ids(at(2)), ['c']);
  t.equal(calls[1]?.quietly, false);
});

t.test('a load joins the prefetch in flight', async (t) => {
  const { pages, calls, ids } = byHand();
  const both = [pages.prefetch(at(2)), pages.load(at(2))];
  calls[0]?.answer(answer(2, 'c'));
  await Promise.all(both);
  t.same([ids(at(2)), calls.length], [['c'], 1]);
});

t.test('a failed prefetch is silent, and a load that joined it calls again', async (t) => {
  const { pages, calls, ids } = byHand();
  const alone = pages.prefetch(at(2));
  calls[0]?.fail(new Error('no'));
  t.equal(await alone, undefined);
  t.match(pages.read(at(2)), { error: undefined, failures: 0, fetching: false });
  const ahead = pages.prefetch(at(3));
  const loading = pages.load(at(3));
  calls[1]?.fail(new Error('no'));
  await ahead;
  calls[2]?.answer(answer(3, 'e'));
  await loading;
  t.same([ids(at(3)), calls[2]?.quietly], [['e'], false]);
});

t.test('the first load of a page that was begun joins that call', async (t) => {
  for (const answeredBefore of [true, false]) {
    const { pages, calls, ids } = byHand();
    pages.begin(at(1));
    const finish = async () => {
      calls[0]?.answer(answer(1, 'a'));
      while (pages.read(at(1)).fetching) await new Promise((resolve) => setImmediate(resolve));
    };
    if (answeredBefore) await finish();
    const shown = pages.load(at(1));
    if (!answeredBefore) await finish();
    await shown;
    t.same([ids(at(1)), calls.length], [['a'], 1]);
    void pages.load(at(1));
    t.equal(calls.length, 2, 'the next load calls again');
  }
});

t.test('a changed image is shown at once, and its page is reloaded for its new position', async (t) => {
  const { pages, calls, ids } = byHand();
  const first = pages.load(at(1));
  calls[0]?.answer(answer(1, 'a', 'b'));
  await first;
  const other = pages.load(at(2));
  calls[1]?.answer(answer(2, 'c'));
  await other;
  pages.put({ ...image('b'), description: 'a kite' }, at(1));
  t.match(pages.read(at(1)).kept?.images, [{ description: '' }, { description: 'a kite' }]);
  t.equal(pages.read(at(2)).kept, undefined, 'other pages are forgotten');
  calls[2]?.answer(answer(1, 'b', 'a'));
  await pages.load(at(1));
  t.same(ids(at(1)), ['b', 'a']);
});

t.test('each order has its own pages', async (t) => {
  const { pages, calls, ids } = byHand();
  const first = pages.load(at(1));
  calls[0]?.answer(answer(1, 'a'));
  await first;
  t.equal(pages.read({ ...at(1), sort: 'name-asc' }).kept, undefined);
  t.same(ids(at(1)), ['a']);
});
