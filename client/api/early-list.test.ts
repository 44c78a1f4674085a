import t from 'tap';
import { type EarlyPlace, takeEarly } from './early-list.ts';

const url = 'http://192.0.2.1/api/images/?page=1&search=';
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

function underWay() {
  const stop = new AbortController();
  const answer = Promise.resolve(new Response('{}'));
  const place: EarlyPlace = {
    earlyList: { url, authorization: 'Bearer ours', answer, stop, sentAt: performance.now() },
  };
  return { place, answer, stop };
}

t.test('a matching early list is used once', async (t) => {
  const { place, answer, stop } = underWay();
  t.equal(takeEarly(new Request(url, bearer('ours')), place), answer);
  t.equal(takeEarly(new Request(url, bearer('ours')), place), undefined, 'the next call fetches again');
  t.notOk(stop.signal.aborted);
});

const others: Record<string, Request> = {
  'another session': new Request(url, bearer('theirs')),
  'no session': new Request(url),
  'another page': new Request(url.replace('page=1', 'page=2'), bearer('ours')),
  'another host': new Request(url.replace('192.0.2.1', '192.0.2.2'), bearer('ours')),
  'a call other than GET': new Request(url, { method: 'DELETE', ...bearer('ours') }),
  'an aborted call': new Request(url, { signal: AbortSignal.abort(), ...bearer('ours') }),
};

for (const [name, request] of Object.entries(others)) {
  t.test(`a first call for ${name} aborts the early list for good`, async (t) => {
    const { place, stop } = underWay();
    t.equal(takeEarly(request, place), undefined);
    t.ok(stop.signal.aborted);
    t.equal(takeEarly(new Request(url, bearer('ours')), place), undefined);
  });
}

t.test('calls for something else leave the early list', (t) => {
  const { place, answer } = underWay();
  const account = new Request('http://192.0.2.1/api/account', bearer('ours'));
  t.equal(takeEarly(account, place), undefined);
  t.equal(takeEarly(new Request(url, bearer('ours')), place), answer);
  t.end();
});

t.test('an early list older than 30 seconds is discarded', (t) => {
  const { place, stop } = underWay();
  t.equal(takeEarly(new Request(url, bearer('ours')), place, performance.now() + 30_001), undefined);
  t.ok(stop.signal.aborted);
  t.end();
});

t.test('leaving the page aborts the early list', async (t) => {
  const { place, stop } = underWay();
  const leaving = new AbortController();
  t.ok(takeEarly(new Request(url, { signal: leaving.signal, ...bearer('ours') }), place));
  leaving.abort();
  t.ok(stop.signal.aborted);
});
