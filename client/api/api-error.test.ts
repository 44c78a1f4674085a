import t from 'tap';
import '../testing/english.ts';
import { ApiError, parseApiError, reasonOf } from './api-error.ts';

t.test("the server's code and message are kept", async (t) => {
  const body = { statusCode: 409, code: 'EMAIL_TAKEN', error: 'Conflict', message: 'An account exists.' };
  const error = parseApiError(409, JSON.stringify(body));
  t.match(error, { status: 409, code: 'EMAIL_TAKEN', message: 'An account exists.' });
  t.equal(reasonOf(error), 'An account exists.');
});

t.test("a proxy's error page gives only a status", async (t) => {
  for (const body of ['<h1>502</h1>', '', 'null', '[]', '{"message":7,"code":"X"}']) {
    const error = parseApiError(502, body);
    t.match(error, { status: 502, code: 'HTTP_502' }, body);
    t.equal(reasonOf(error), undefined, body);
  }
});

t.test('the Retry-After seconds are kept', async (t) => {
  t.equal(parseApiError(503, '{}', '12').retryAfter, 12);
  for (const header of [null, '', 'soon', '-1', 'Wed, 21 Oct 2026 07:28:00 GMT']) {
    t.equal(parseApiError(503, '{}', header).retryAfter, undefined);
  }
});

t.test('only an API error with a message has a reason', async (t) => {
  t.equal(reasonOf(new Error('boom')), undefined);
  t.equal(reasonOf(new ApiError(502, 'HTTP_502', '')), undefined);
});
