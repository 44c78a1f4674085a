import { once } from 'node:events';
import t from 'tap';
import { ConfigError } from '../config/reading.ts';
import { DatabaseStartError } from '../database/start-error.ts';
import { isOutage, whenReachable } from './starting.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', query: 'select' });
const away = (name: string) => new DatabaseStartError(`DATABASE_URL: ${name} does not answer.`, { cause: refused });

t.test('a start that finds the database away is tried again until it answers', async (t) => {
  const lines: string[] = [];
  const failures = [away('db'), away('db'), away('db'), away('another')];
  const started = await whenReachable(
    async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'started';
    },
    { say: (line) => lines.push(line), signal: new AbortController().signal, pause: 1 },
  );
  t.equal(started, 'started');
  t.same(lines, [
    'DATABASE_URL: db does not answer. The start waits for it, and tries again every second.',
    'DATABASE_URL: another does not answer. The start waits for it, and tries again every second.',
  ]);
});

t.test('a setting that is wrong ends the start at once', async (t) => {
  const signal = new AbortController().signal;
  const say = () => t.fail('nothing is waited for');
  const wrong = new DatabaseStartError('DATABASE_URL: the server refuses the user "a".');
  await t.rejects(
    whenReachable(() => Promise.reject(wrong), { say, signal }),
    wrong,
  );
});

t.test('a stop ends the wait', async (t) => {
  const stop = new AbortController();
  const lines = new EventTarget();
  const reported = once(lines, 'line');
  const say = () => void lines.dispatchEvent(new Event('line'));
  const start = whenReachable(() => Promise.reject(away('db')), { say, signal: stop.signal, pause: 2 ** 30 });
  await reported;
  stop.abort();
  await t.rejects(start, { code: 'DATABASE_START' });
});

t.test('an outage is distinguished from a wrong setting', async (t) => {
  const answered = (httpStatusCode: number) => Object.assign(new Error('no'), { $metadata: { httpStatusCode } });
  const bucket = (cause?: Error) => new ConfigError('S3_ENDPOINT: HeadBucket failed', { cause });
  t.ok(isOutage(bucket(Object.assign(new Error('no answer within 6 s'), { code: 'ETIMEDOUT' }))));
  t.ok(isOutage(bucket(answered(503))));
  t.notOk(isOutage(bucket(answered(403))));
  t.notOk(isOutage(bucket()));
  t.notOk(isOutage(new TypeError('a mistake')));
});
