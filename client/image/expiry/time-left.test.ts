import t from 'tap';
import * as ar from '../../text/languages/ar.ts';
import * as en from '../../text/languages/en.ts';
import { speak } from '../../text/words.ts';
import { describeEnd, timeLeft } from './time-left.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

t.test('the time left has one unit, and only the date remains beyond 30 days', async (t) => {
  for (const [ms, wanted] of [
    [1, [1, 'minute']],
    [5 * MINUTE - 100, [5, 'minute']],
    [59 * MINUTE, [59, 'minute']],
    [HOUR - 100, [1, 'hour']],
    [23 * HOUR, [23, 'hour']],
    [DAY - 100, [1, 'day']],
    [7 * DAY - 100, [7, 'day']],
    [30 * DAY - 100, [30, 'day']],
    [31 * DAY, undefined],
  ] as const)
    t.same(timeLeft(ms), wanted, String(ms));
});

t.test('an end is described in the page’s language', async (t) => {
  const end = new Date(2027, 11, 24, 9, 15).toISOString();
  speak({ ...en.start, ...en.later }, ['en-US']);
  t.match(describeEnd(end, 3 * DAY), {
    short: 'in 3 days',
    near: 'in 3 days',
    sentence: 'Expires in 3 days',
    full: /^Expires in 3 days · Dec 24, 2027, 9:15\sAM$/,
  });
  t.match(describeEnd(end, 400 * DAY), {
    short: 'Dec 24, 2027',
    near: undefined,
    full: /^Expires Dec 24, 2027, 9:15\sAM$/,
  });
  speak({ ...ar.start, ...ar.later });
  t.equal(describeEnd(end, 2 * DAY).sentence, 'تنتهي صلاحيتها خلال يومين');
  t.equal(describeEnd(end, 11 * DAY).short, 'خلال ١١ يومًا');
  t.match(describeEnd(end, 400 * DAY).full, /٢٤.+١٢.+٢٠٢٧/);
});
