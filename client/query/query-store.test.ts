import t from 'tap';
import type { Key, Query } from './query.ts';
import { createQueryStore } from './query-store.ts';

interface Page {
  readonly page: number;
  readonly total: number;
  readonly images: readonly { readonly id: string; readonly name?: string }[];
}

const answer = (page: number, ...ids: string[]): Page => ({ page, total: 6, images: ids.map((id) => ({ id })) });
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** A store of pages whose calls the test answers, in the order in which they were made. */
function byHand() {
  const calls: {
    key: Key;
    signal: AbortSignal;
    background: boolean;
    answer: (page: Page) => Promise<unknown>;
    fail: (error: unknown) => Promise<unknown>;
  }[] = [];
  const failures: unknown[] = [];
  const later: (() => void)[] = [];
  const store = createQueryStore((work) => later.push(work));
  const at = (page: number, search = ''): Query<Page> => ({
    key: ['list', search, page],
    siblings: ['list', search],
    load: (signal, background) =>
      new Promise((resolve, reject) =>
        calls.push({
          key: ['list', search, page],
          signal,
          background,
          answer: (page) => {
            resolve(page);
            return turns();
          },
          fail: (error) => {
            reject(error);
            return turns();
          },
        }),
      ),
    onError: (error) => failures.push(error),
    outdates: (next, other) =>
      next.total !== other.total || (next.page === other.page && next.images[0]?.id !== other.images[0]?.id),
  });
  const ids = (page: number, search = '') =>
    store
      .read<Page>(['list', search, page])
      .data?.images.map(({ id }) => id)
      .join('');
  const keep = async (page: number, ...ids: string[]) => {
    void store.fetch(at(page));
    await calls.at(-1)?.answer(answer(page, ...ids));
  };
  return { store, calls, failures, later, at, ids, keep };
}

t.test('a kept value is shown at once, and loaded again', async (t) => {
  const { store, calls, at, ids } = byHand();
  const leave = store.watch(at(1), () => {});
  t.match(store.read(at(1).key), { data: undefined, fetching: true });
  await calls[0]?.answer(answer(1, 'a', 'b'));
  t.equal(ids(1), 'ab');
  leave();
  store.watch(at(1), () => {});
  t.equal(ids(1), 'ab', 'meanwhile');
  await calls[1]?.answer(answer(1, 'new', 'a'));
  t.equal(ids(1), 'newa');
});

t.test('a second fetch joins the call in flight', async (t) => {
  const { store, calls, at } = byHand();
  const both = [store.fetch(at(1)), store.fetch(at(1))];
  t.equal(calls.length, 1);
  await calls[0]?.answer(answer(1, 'a'));
  t.match(await Promise.all(both), [{ data: { page: 1 } }, { data: { page: 1 } }]);
});

t.test('the last watcher that leaves aborts the call, and its late answer is ignored', async (t) => {
  const { store, calls, at, ids } = byHand();
  const both = [store.watch(at(1), () => {}), store.watch(at(1), () => {})];
  both[0]?.();
  await turns();
  t.notOk(calls[0]?.signal.aborted);
  both[1]?.();
  await turns();
  t.ok(calls[0]?.signal.aborted);
  t.equal(store.read(at(1).key).fetching, false);
  await calls[0]?.answer(answer(1, 'late'));
  t.equal(ids(1), undefined);
});

t.test('a watcher that leaves and returns at once joins its own call', async (t) => {
  const { store, calls, at } = byHand();
  store.watch(at(1), () => {})();
  store.watch(at(1), () => {});
  await turns();
  t.equal(calls.length, 1);
  t.notOk(calls[0]?.signal.aborted);
});

t.test('a second watcher shares what the first one has loaded', async (t) => {
  const { store, calls, at } = byHand();
  store.watch(at(1), () => {});
  await calls[0]?.answer(answer(1, 'a'));
  const leave = store.watch(at(1), () => {});
  t.equal(calls.length, 1);
  leave();
  await turns();
  store.invalidate(['list']);
  await turns();
  t.equal(calls.length, 2, 'the first one is still watching');
});

t.test('a failure is reported once, and keeps the value', async (t) => {
  const { store, calls, failures, at, ids, keep } = byHand();
  await keep(1, 'a');
  void store.fetch(at(1));
  await calls[1]?.fail(new SyntaxError('not JSON'));
  t.match(store.read(at(1).key), { error: new SyntaxError('not JSON'), fetching: false });
  t.equal(ids(1), 'a');
  t.equal(failures.length, 1);
  void store.fetch(at(1));
  await calls[2]?.answer(answer(1, 'b'));
  t.equal(store.read(at(1).key).error, undefined);
});

t.test('a failure is not shown again after leaving and returning', async (t) => {
  const { store, calls, at } = byHand();
  const leave = store.watch(at(1), () => {});
  await calls[0]?.fail(new Error('no'));
  t.ok(store.read(at(1).key).error);
  leave();
  await turns();
  store.watch(at(1), () => {});
  t.match(store.read(at(1).key), { error: undefined, fetching: true });
});

t.test('unchanged parts stay the same objects, which avoids renders', async (t) => {
  const { store, calls, at, keep } = byHand();
  await keep(1, 'a', 'b');
  const before = store.read<Page>(at(1).key).data;
  void store.fetch(at(1));
  await calls[1]?.answer({
    ...answer(1, 'new', 'a', 'b'),
    images: [{ id: 'new' }, { id: 'a' }, { id: 'b', name: 'B' }],
  });
  const after = store.read<Page>(at(1).key).data;
  t.equal(after?.images[1], before?.images[0]);
  t.not(after?.images[2], before?.images[1]);
  void store.fetch(at(1));
  await calls[2]?.answer(structuredClone(after as Page));
  t.equal(store.read<Page>(at(1).key).data, after);
});

t.test('a prefetched value is shown at once, and loaded again then', async (t) => {
  const { store, calls, at, ids } = byHand();
  const ahead = store.prefetch(at(2));
  t.equal(calls[0]?.background, true);
  await calls[0]?.answer(answer(2, 'c'));
  t.match(await ahead, { page: 2 });
  t.match(await store.prefetch(at(2)), { page: 2 }, 'a second prefetch makes no call');
  t.equal(calls.length, 1);
  store.watch(at(2), () => {});
  t.equal(ids(2), 'c');
  t.equal(calls[1]?.background, false);
});

t.test('a failed prefetch is silent, and a fetch that joined it calls again', async (t) => {
  const { store, calls, failures, at, ids } = byHand();
  void store.prefetch(at(2));
  await calls[0]?.fail(new Error('no'));
  t.match(store.read(at(2).key), { error: undefined, fetching: false });
  void store.prefetch(at(3));
  void store.fetch(at(3));
  await calls[1]?.fail(new Error('no'));
  await calls[2]?.answer(answer(3, 'e'));
  t.same([ids(3), calls[2]?.background, failures], ['e', false, []]);
});

t.test('an invalidation loads what is watched, once for all of its tick', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  await keep(2, 'c');
  store.watch(at(1), () => {});
  await calls[1]?.answer(answer(1, 'a'));
  for (let file = 0; file < 20; file++) store.invalidate(['list']);
  store.invalidate(['other']);
  await turns();
  t.equal(calls.length, 3);
  t.match(calls[2]?.key, ['list', '', 1]);
  t.ok(store.read(at(2).key).stale);
  t.equal(ids(2), 'c', 'what nobody watches stays until it is needed');
  await calls[2]?.answer(answer(1, 'a'));
  t.notOk(store.read(at(1).key).stale);
  void store.prefetch(at(2));
  t.equal(calls.length, 4, 'a prefetch loads it again');
});

t.test('invalidations that may wait become one call', async (t) => {
  const { store, calls, later, at } = byHand();
  store.watch(at(1), () => {});
  await calls[0]?.answer(answer(1, 'a'));
  for (let file = 0; file < 20; file++) {
    store.invalidate(['list'], 500);
    await turns();
  }
  t.equal(calls.length, 1);
  t.ok(store.read(at(1).key).stale);
  for (const work of later) work();
  t.same([calls.length, later.length], [2, 1]);
});

t.test('a value that is invalidated while it loads is loaded again', async (t) => {
  const { store, calls, at, ids } = byHand();
  store.watch(at(1), () => {});
  store.invalidate(['list']);
  await calls[0]?.answer(answer(1, 'old'));
  t.equal(calls.length, 2);
  await calls[1]?.answer(answer(1, 'new'));
  t.equal(ids(1), 'new');
  t.equal(calls.length, 2);
});

t.test('an invalidation that may wait still waits if a call is in flight', async (t) => {
  const { store, calls, later, at } = byHand();
  store.watch(at(1), () => {});
  store.invalidate(['list'], 500);
  await calls[0]?.answer(answer(1, 'a'));
  await turns();
  t.equal(calls.length, 1);
  for (const work of later) work();
  t.equal(calls.length, 2);
});

t.test('the answer for one list does not hurry the reload of another', async (t) => {
  const { store, calls, later, at } = byHand();
  store.watch(at(1), () => {});
  await calls[0]?.answer(answer(1, 'a'));
  store.invalidate(['list'], 500);
  store.watch(at(1, 'cat'), () => {});
  await calls[1]?.answer(answer(1, 'cat'));
  await turns();
  t.equal(calls.length, 2);
  for (const work of later) work();
  t.equal(calls.length, 3);
});

t.test('a failed reload that the user did not start is silent, and keeps the value', async (t) => {
  const { store, calls, failures, at, ids } = byHand();
  store.watch(at(1), () => {});
  await calls[0]?.answer(answer(1, 'a'));
  store.refresh(['list']);
  t.equal(calls[1]?.background, false, 'a 401 ends the session');
  await calls[1]?.fail(new Error('asleep'));
  store.invalidate(['list']);
  await turns();
  await calls[2]?.fail(new Error('asleep'));
  t.match(store.read(at(1).key), { error: undefined, fetching: false });
  t.same([ids(1), failures.length, calls.length], ['a', 0, 3]);
});

t.test('a failed reload that has no value to show is reported', async (t) => {
  const { store, calls, failures, at } = byHand();
  store.watch(at(1), () => {});
  await calls[0]?.fail(new Error('no'));
  store.refresh(['list']);
  await calls[1]?.fail(new Error('no'));
  t.equal(failures.length, 2);
});

t.test('a reload shows that its value no longer exists', async (t) => {
  const { store, calls, failures, at } = byHand();
  const gone = new Error('404');
  store.watch({ ...at(1), isGone: (error) => error === gone }, () => {});
  await calls[0]?.answer(answer(1, 'a'));
  store.refresh(['list']);
  await calls[1]?.fail(gone);
  t.equal(store.read(at(1).key).error, gone);
  t.same(failures, []);
});

t.test('a page whose first image changed drops its siblings', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  await keep(1, 'f', 'e', 'd');
  await keep(2, 'c', 'b', 'a');
  store.watch(at(1), () => {});
  await calls[2]?.answer({ ...answer(1, 'z', 'y', 'x'), total: 9 });
  t.equal(ids(2), undefined, 'page 2 now begins with f');
});

t.test('a page with another total reloads a watched sibling', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  store.watch(at(1), () => {});
  await calls[0]?.answer(answer(1, 'f', 'e', 'd'));
  await keep(3, 'x');
  void store.fetch(at(2));
  await calls[2]?.answer({ ...answer(2, 'e', 'd', 'c'), total: 7 });
  t.match(calls[3]?.key, ['list', '', 1]);
  await calls[3]?.answer({ ...answer(1, 'g', 'f'), total: 7 });
  t.same([ids(2), ids(3)], ['edc', undefined]);
  t.equal(calls.length, 4);
});

t.test('other searches keep their pages', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  void store.fetch(at(1, 'cat'));
  await calls[0]?.answer(answer(1, 'cat'));
  await keep(1, 'a');
  void store.fetch(at(1));
  await calls[2]?.answer({ ...answer(1, 'new'), total: 7 });
  t.equal(ids(1, 'cat'), 'cat');
});

t.test('a value that was set is newer than every call in flight', async (t) => {
  const { store, calls, at, ids } = byHand();
  store.watch(at(1), () => {});
  store.setData(at(1).key, answer(1, 'set'));
  t.ok(calls[0]?.signal.aborted);
  await calls[0]?.answer(answer(1, 'old'));
  t.equal(ids(1), 'set');
  t.equal(calls.length, 1);
});

t.test('an update changes watched values, loads those it cannot change, and drops the others', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  await keep(3, 'e', 'f');
  store.watch(at(1), () => {});
  store.watch(at(2), () => {}, true);
  await calls[1]?.answer(answer(1, 'a', 'b'));
  await calls[2]?.answer(answer(2, 'c', 'd'));
  void store.fetch(at(1));
  store.update<Page>(['list'], (page) =>
    page.images.some(({ id }) => id === 'a')
      ? { ...page, images: page.images.filter(({ id }) => id !== 'a') }
      : undefined,
  );
  await turns();
  t.ok(calls[3]?.signal.aborted, 'an answer in flight may still contain it');
  t.equal(ids(1), 'b');
  t.equal(ids(3), undefined);
  const again = calls.slice(4).map(({ key, background }) => [...key, background]);
  t.same(again.sort(), [
    ['list', '', 1, false],
    ['list', '', 2, true],
  ]);
});

t.test('a patch changes every value, and makes a call in flight again', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  await keep(3, 'e', 'f');
  store.watch(at(1), () => {});
  await calls[1]?.answer(answer(1, 'a', 'b'));
  const renamed = (page: Page): Page => ({
    ...page,
    images: page.images.map((image) => (image.id === 'b' || image.id === 'e' ? { id: image.id.toUpperCase() } : image)),
  });
  store.patch<Page>(['list'], renamed);
  await turns();
  t.same([ids(1), ids(3), calls.length], ['aB', 'Ef', 2]);
  store.invalidate(['list', '', 1]);
  await turns();
  store.patch<Page>(['list'], ({ images: [, ...images], ...page }) => ({ ...page, images }));
  await turns();
  t.ok(calls[2]?.signal.aborted, 'its answer may be older');
  t.equal(ids(1), 'B');
  await calls[3]?.answer(answer(1, 'c', 'B'));
  t.equal(ids(1), 'cB', 'an addition from another tab');
});

t.test('a patch makes the first call again, whose answer may be older', async (t) => {
  const { store, calls, at, ids } = byHand();
  store.watch(at(1), () => undefined);
  store.patch<Page>(['list'], (page) => page);
  await turns();
  await calls[0]?.answer(answer(1, 'old'));
  t.equal(ids(1), undefined);
  await calls[1]?.answer(answer(1, 'new'));
  t.equal(ids(1), 'new');
});

t.test('a refresh loads only what is watched', async (t) => {
  const { store, calls, at, keep } = byHand();
  await keep(2, 'c');
  store.watch(at(1), () => {});
  await calls[1]?.answer(answer(1, 'a'));
  store.refresh(['list']);
  t.equal(calls.length, 3);
  t.match(calls[2]?.key, ['list', '', 1]);
});

t.test('only the most recent values are kept', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  store.watch(at(100), () => {});
  await calls[0]?.answer(answer(100, 'watched'));
  for (let page = 1; page <= 40; page++) await keep(page, `${page}`);
  t.equal(ids(100), 'watched');
  t.same([ids(20), ids(21), ids(40)], [undefined, '21', '40']);
});

t.test('a cleared store holds nothing, tells its watchers, and ignores late answers', async (t) => {
  const { store, calls, at, ids, keep } = byHand();
  let heard = 0;
  store.watch(at(1), () => heard++);
  await calls[0]?.answer(answer(1, 'a'));
  await keep(2, 'c');
  void store.fetch(at(3));
  heard = 0;
  store.clear();
  await calls[2]?.answer(answer(3, 'e'));
  t.same([ids(1), ids(2), ids(3)], [undefined, undefined, undefined]);
  t.ok(heard > 0);
});
