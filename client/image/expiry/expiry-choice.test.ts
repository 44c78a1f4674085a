import t from 'tap';
import { changeOf, currentEnd, isSame, momentOf, toLocalInput } from './expiry-choice.ts';

const now = new Date(2026, 10, 26, 12, 30).getTime();
const inMinutes = (minutes: number) => toLocalInput(now + minutes * 60_000);

t.test('the form starts with the current end', async (t) => {
  t.same(currentEnd(null, now), { choice: 'never', date: '2026-12-03T12:30' });
  const end = new Date(2027, 0, 2, 3, 4, 5).toISOString();
  t.same(currentEnd(end, now), { choice: 'date', date: '2027-01-02T03:04' });
});

t.test('a suggested date that is not chosen is no change', async (t) => {
  t.equal(isSame({ choice: 'never', date: 'a' }, { choice: 'never', date: 'b' }), true);
  t.equal(isSame({ choice: 'date', date: 'a' }, { choice: 'date', date: 'b' }), false);
  t.equal(isSame({ choice: 'never', date: 'a' }, { choice: '1d', date: 'a' }), false);
});

t.test('durations are sent as such, and dates with their time zone', async (t) => {
  const date = inMinutes(90);
  t.same(changeOf({ choice: 'never', date }, now), { expires_in: null });
  t.same(changeOf({ choice: '1y', date }, now), { expires_in: '1y' });
  t.same(changeOf({ choice: 'date', date }, now), { expires_at: new Date(now + 90 * 60_000).toISOString() });
});

t.test('a date that the server would refuse is not sent', async (t) => {
  for (const minutes of [-60, 4, 5 * 365 * 24 * 60 + 1])
    t.equal(changeOf({ choice: 'date', date: inMinutes(minutes) }, now), undefined, String(minutes));
  t.equal(changeOf({ choice: 'date', date: '' }, now), undefined);
  t.ok(changeOf({ choice: 'date', date: inMinutes(5) }, now));
});

t.test('the moment of a choice is known before it is sent', async (t) => {
  t.equal(momentOf({ choice: 'never', date: '' }, now), null);
  t.equal(momentOf({ choice: '7d', date: '' }, now), now + 7 * 86_400_000);
  t.equal(momentOf({ choice: 'date', date: inMinutes(7) }, now), now + 7 * 60_000);
  t.ok(Number.isNaN(momentOf({ choice: 'date', date: '' }, now)));
});
