import t from 'tap';
import { send, TimeoutError } from './http.ts';

const url = 'http://192.0.2.1/api/albums/';

/** A server that answers each request with the next of these; the last one repeats. */
function serverOf(...answers: (number | Error | Response)[]) {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    request.signal.throwIfAborted();
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer instanceof Response ? answer.clone() : new Response('{}', { status: answer ?? 200 });
  };
  return { requests, fetch };
}

/** A server that never answers. */
const silent = ({ signal }: Request): Promise<Response> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

t.test('a call has its parameters, its JSON and its method', async (t) => {
  const { requests, fetch } = serverOf(200);
  await send(url, { searchParams: { page: 2, search: 'a b' }, headers: { Authorization: 'Bearer x' } }, fetch);
  t.match(requests[0], { url: `${url}?page=2&search=a+b`, method: 'GET', credentials: 'include' });
  t.equal(requests[0]?.headers.get('authorization'), 'Bearer x');
  await send(url, { method: 'patch', json: { name: 'é' } }, fetch);
  t.match(requests[1], { url, method: 'PATCH' });
  t.equal(requests[1]?.headers.get('content-type'), 'application/json');
  t.same(await requests[1]?.json(), { name: 'é' });
});

t.test('a GET is tried again twice, after no answer and after one of a proxy', async (t) => {
  for (const failure of [new TypeError('no network'), 502, 504]) {
    const { requests, fetch } = serverOf(failure, failure, 200);
    t.equal((await send(url, {}, fetch)).status, 200);
    t.equal(requests.length, 3);
  }
  const { requests, fetch } = serverOf(503);
  t.equal((await send(url, {}, fetch)).status, 503);
  t.equal(requests.length, 3);
});

t.test('other refusals, other methods and health checks are not tried again', async (t) => {
  for (const [options, status] of [
    [{}, 404],
    [{ method: 'post', json: {} }, 503],
    [{ retry: 0 }, 503],
  ] as const) {
    const { requests, fetch } = serverOf(status);
    t.equal((await send(url, options, fetch)).status, status);
    t.equal(requests.length, 1);
  }
  const { requests, fetch } = serverOf(new TypeError('no network'));
  await t.rejects(send(url, { method: 'delete' }, fetch), TypeError);
  t.equal(requests.length, 1);
});

t.test('a retry waits as long as the server asks, unless that is too long', async (t) => {
  const busy = (seconds: string) => new Response('', { status: 503, headers: { 'Retry-After': seconds } });
  const soon = serverOf(busy('1'), 200);
  const start = performance.now();
  t.equal((await send(url, {}, soon.fetch)).status, 200);
  t.ok(performance.now() - start > 900);
  const late = serverOf(busy('60'), 200);
  t.equal((await send(url, {}, late.fetch)).status, 503);
});

t.test('a call ends at its timeout and when it is aborted, also between two tries', async (t) => {
  await t.rejects(send(url, { timeout: 20 }, silent), TimeoutError);
  await t.rejects(send(url, { timeout: 20 }, serverOf(503).fetch), TimeoutError);
  const stop = new AbortController();
  const call = send(url, { signal: stop.signal }, silent);
  stop.abort();
  await t.rejects(call, { name: 'AbortError' });
  await t.rejects(send(url, { signal: stop.signal }, silent), { name: 'AbortError' });
});
