import t from 'tap';
import { createRelay } from './relay.ts';

function gate<T>() {
  let open = (_: T) => {};
  let fail = (_: Error) => {};
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

const never = async (): Promise<string> => {
  throw new Error('this was not to be done');
};

t.test('what one does, the others take over, until it is done', async (t) => {
  const relay = createRelay<string>();
  const { promise, open } = gate<string>();
  const all = [relay('a', () => promise), relay('a', never), relay('a', never)];
  t.equal(await relay('b', async () => 'another'), 'another');
  open('done');
  t.same(await Promise.all(all), ['done', 'done', 'done']);
  t.equal(await relay('a', async () => 'again'), 'again');
});

t.test('where he fails, the next one does it with his own means, once for those that are left', async (t) => {
  const relay = createRelay<string>();
  const { promise, fail } = gate<string>();
  const first = relay('a', () => promise);
  let count = 0;
  const work = async () => {
    count += 1;
    return 'mine';
  };
  const others = [relay('a', work), relay('a', work)];
  fail(new Error('broken off'));
  await t.rejects(first, { message: 'broken off' });
  t.same(await Promise.all(others), ['mine', 'mine']);
  t.equal(count, 1);
});

t.test('whoever is gone waits no longer, and stops nobody', async (t) => {
  const relay = createRelay<string>();
  const { promise, open } = gate<string>();
  const first = relay('a', () => promise);
  const gone = new AbortController();
  const second = relay('a', never, gone.signal);
  const third = relay('a', never, new AbortController().signal);
  gone.abort(new Error('gone'));
  await t.rejects(second, { message: 'gone' });
  await t.rejects(relay('a', never, gone.signal), { message: 'gone' });
  open('done');
  t.same(await Promise.all([first, third]), ['done', 'done']);
});
