import t from 'tap';
import { createSingleFlight } from './single-flight.ts';

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
  throw new Error('must not run');
};

t.test('callers join the running work of their key', async (t) => {
  const { shareSuccess: join } = createSingleFlight<string>();
  const { promise, open } = gate<string>();
  const all = [join('a', () => promise), join('a', never), join('a', never)];
  t.equal(await join('b', async () => 'another'), 'another');
  open('done');
  t.same(await Promise.all(all), ['done', 'done', 'done']);
  t.equal(await join('a', async () => 'again'), 'again');
});

t.test('one of the waiting callers runs its own work if the running work fails', async (t) => {
  const { shareSuccess: join } = createSingleFlight<string>();
  const { promise, fail } = gate<string>();
  const first = join('a', () => promise);
  let count = 0;
  const work = async () => {
    count += 1;
    return 'mine';
  };
  const others = [join('a', work), join('a', work)];
  fail(new Error('failed'));
  await t.rejects(first, { message: 'failed' });
  t.same(await Promise.all(others), ['mine', 'mine']);
  t.equal(count, 1);
});

t.test('an aborted caller stops waiting, and the work continues for the others', async (t) => {
  const { shareSuccess: join } = createSingleFlight<string>();
  const { promise, open } = gate<string>();
  const first = join('a', () => promise);
  const gone = new AbortController();
  const second = join('a', never, gone.signal);
  const third = join('a', never, new AbortController().signal);
  gone.abort(new Error('gone'));
  await t.rejects(second, { message: 'gone' });
  await t.rejects(join('a', never, gone.signal), { message: 'gone' });
  open('done');
  t.same(await Promise.all([first, third]), ['done', 'done']);
});
