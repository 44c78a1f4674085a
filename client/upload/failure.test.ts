import t from 'tap';
import { ApiError } from '../api/api-error.ts';
import { explain } from './failure.ts';

const failed = (status: number, code: string, retryAfter?: number) =>
  explain(new ApiError(status, code, 'A sentence.', { retryAfter }));

t.test(
  'a busy server and too many requests are waited for, as long as the server says and little longer',
  async (t) => {
    for (const [status, code] of [
      [503, 'SERVER_BUSY'],
      [429, 'TOO_MANY_REQUESTS'],
      [429, 'HTTP_429'],
    ] as const) {
      const { waitMs, stops } = failed(status, code, 20);
      t.ok(waitMs !== null && waitMs >= 20_000 && waitMs <= 25_000, `${code}: ${waitMs}`);
      t.notOk(stops);
    }
    const unsaid = failed(503, 'SERVER_BUSY').waitMs ?? 0;
    t.ok(unsaid >= 10_000 && unsaid <= 12_500);
  },
);

t.test('what waiting does not mend stops the upload', async (t) => {
  for (const [status, code] of [
    [0, 'UNREACHABLE'],
    [401, 'UNAUTHORIZED'],
    [503, 'DATABASE_UNAVAILABLE'],
    [503, 'HTTP_503'],
    [507, 'NO_SPACE'],
  ] as const) {
    t.match(failed(status, code, 5), { waitMs: null, stops: true }, code);
  }
  t.match(failed(413, 'FILE_TOO_LARGE'), { waitMs: null, stops: false });
});
