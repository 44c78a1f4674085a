import t from 'tap';
import { ApiError } from '../../api/api-error.ts';
import { retryDelay } from './retry-after.ts';

const waitAfter = (status: number, code: string, retryAfter?: number) =>
  retryDelay(new ApiError(status, code, 'A sentence.', { retryAfter }));

t.test('a busy server and too many requests cause a wait of the requested time, plus a little jitter', async (t) => {
  for (const [status, code] of [
    [503, 'SERVER_BUSY'],
    [429, 'TOO_MANY_REQUESTS'],
    [429, 'HTTP_429'],
  ] as const) {
    const ms = waitAfter(status, code, 20) ?? 0;
    t.ok(ms >= 20_000 && ms <= 25_000, `${code}: ${ms}`);
  }
  const unsaid = waitAfter(503, 'SERVER_BUSY') ?? 0;
  t.ok(unsaid >= 10_000 && unsaid <= 12_500);
});

t.test('no other failure causes a wait', async (t) => {
  for (const [status, code] of [
    [0, 'UNREACHABLE'],
    [401, 'UNAUTHORIZED'],
    [413, 'FILE_TOO_LARGE'],
    [503, 'DATABASE_UNAVAILABLE'],
    [503, 'HTTP_503'],
    [507, 'NO_SPACE'],
  ] as const) {
    t.equal(waitAfter(status, code, 5), null, code);
  }
});
