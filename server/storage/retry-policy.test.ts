import t from 'tap';
import { StorageUnavailable } from '../errors.ts';
import { failureOfFile, withRetry } from './retry-policy.ts';

/** A bucket's throttling error: without a system error code. */
const slowDown = () =>
  Object.assign(new StorageUnavailable(), {
    cause: Object.assign(new Error('reduce your rate'), { name: 'SlowDown' }),
  });
const answered = (httpStatusCode: number) =>
  Object.assign(new StorageUnavailable(), { cause: Object.assign(new Error(), { $metadata: { httpStatusCode } }) });
const withCode = (code: string) =>
  Object.assign(new StorageUnavailable(), { cause: Object.assign(new Error(code), { code, syscall: 'read' }) });

function failing(times: number, failure: () => Error) {
  let calls = 0;
  return {
    calls: () => calls,
    async work() {
      calls += 1;
      if (calls <= times) throw failure();
      return 'done';
    },
  };
}

t.test('a transient storage failure is retried', async (t) => {
  for (const failure of [
    slowDown,
    () => withCode('ECONNRESET'),
    () => withCode('ETIMEDOUT'),
    () => answered(503),
    () => answered(429),
  ]) {
    const { work, calls } = failing(2, failure);
    t.equal(await withRetry(work, { pauses: [1, 1, 1] }), 'done');
    t.equal(calls(), 3);
    const longer = failing(9, failure);
    await t.rejects(withRetry(longer.work, { pauses: [1, 1] }), { code: 'STORAGE_UNAVAILABLE' });
    t.equal(longer.calls(), 3);
  }
});

t.test('a permanent failure is not retried', async (t) => {
  for (const failure of [() => withCode('EIO'), () => new TypeError('a mistake'), () => answered(403)]) {
    const { work, calls } = failing(1, failure);
    await t.rejects(withRetry(work, { pauses: [1] }));
    t.equal(calls(), 1);
  }
});

t.test('an abort ends the wait between attempts', async (t) => {
  const broken = new AbortController();
  const { work } = failing(1, () => {
    broken.abort();
    return slowDown();
  });
  await t.rejects(withRetry(work, { pauses: [60_000], signal: broken.signal }), { name: 'AbortError' });
});

t.test('a failure counts as the file’s own only if the storage is healthy', async (t) => {
  const isHealthy = async () => true;
  t.equal(await failureOfFile(slowDown(), isHealthy), 'SlowDown');
  t.equal(await failureOfFile(withCode('EIO'), isHealthy), 'EIO');
  t.equal(await failureOfFile(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' }), isHealthy), 'EIO');
  const away = slowDown();
  await t.rejects(
    failureOfFile(away, async () => false),
    away,
  );
  const mistake = new TypeError('a mistake');
  await t.rejects(failureOfFile(mistake, isHealthy), mistake);
});
