import t from 'tap';
import { durationOf } from './duration.ts';

t.test('a duration is a number and a unit', async (t) => {
  const minute = 60_000;
  t.same(['5m', '1h', '7d', '2w', '5y'].map(durationOf), [
    5 * minute,
    60 * minute,
    7 * 1440 * minute,
    14 * 1440 * minute,
    5 * 365 * 1440 * minute,
  ]);
  for (const text of ['', '5', 'm', '0d', '-1d', '1.5h', '1 d', '1D', '1s', '1h30m', '12345678d', '٣d'])
    t.equal(durationOf(text), undefined, JSON.stringify(text));
});
