import t from 'tap';
import { alone } from './session-lock.ts';

/** Locks that run each work under the lock. */
const free = { request: (_name: string, work: () => unknown) => Promise.resolve(work()) } as unknown as LockManager;
const blocked: LockManager['request'] = () => Promise.reject(new DOMException('blocked', 'SecurityError'));

t.test('a change runs once, with locks and where the browser refuses them', async (t) => {
  for (const locks of [free, null, { request: blocked }]) {
    let runs = 0;
    t.equal(await alone(() => ++runs, locks), 1);
    t.equal(runs, 1);
  }
});

t.test('a change that fails is not run again', async (t) => {
  let runs = 0;
  const fail = async () => {
    runs += 1;
    throw new Error('no');
  };
  await t.rejects(alone(fail, free), new Error('no'));
  t.equal(runs, 1);
});
