import t from 'tap';
import { readDeletesAt, readExpiration, shorterLifetime } from './times.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

t.test('Zipline’s times are those of the package ms', async (t) => {
  for (const [text, ms] of [
    ['1d', day],
    ['1 day', day],
    ['1.5h', 1.5 * hour],
    ['.5 hrs', 30 * minute],
    ['10M', 10 * minute],
    ['600 secs', 10 * minute],
    ['600000', 10 * minute],
    ['2 weeks', 14 * day],
    ['5y', 5 * 365 * day],
    ['1s', 5 * minute],
    ['', undefined],
    ['never', undefined],
  ] as const) {
    t.equal(readDeletesAt(text), ms, text);
  }
});

t.test('Zipline’s dates are those of JavaScript', async (t) => {
  const in2Hours = new Date(Date.now() + 2 * hour);
  for (const date of [in2Hours.toISOString(), in2Hours.toUTCString()]) {
    const ms = readDeletesAt(`date=${date}`) ?? 0;
    t.ok(ms <= 2 * hour && ms > 2 * hour - minute, date);
  }
  t.equal(readDeletesAt(`date=${new Date(Date.now() + minute).toISOString()}`), 5 * minute);
});

t.test('Chevereto’s expiration is an ISO 8601 duration or seconds', async (t) => {
  for (const [text, ms] of [
    ['PT5M', 5 * minute],
    ['PT12H', 12 * hour],
    ['p1d', day],
    ['P3W', 21 * day],
    ['P6M', 180 * day],
    ['P1Y', 365 * day],
    ['P1DT6H', 30 * hour],
    ['3600', hour],
    ['PT1M', 5 * minute],
    ['', undefined],
    ['0', undefined],
  ] as const) {
    t.equal(readExpiration(text), ms, text);
  }
});

t.test('a time that is none, past or too far is refused', async (t) => {
  const invalid = [
    'soon',
    '-1d',
    '0',
    '6y',
    '1 fortnight',
    'date=',
    'date=soon',
    'date=2020-01-01',
    `${'9'.repeat(40)}d`,
  ];
  for (const text of invalid) t.throws(() => readDeletesAt(text), { code: 'INVALID_REQUEST' }, text);
  for (const text of ['P', 'PT', '1d', 'P6Y', 'P0D', '-P1D', 'P1H', '9'.repeat(40)]) {
    t.throws(() => readExpiration(text), { code: 'INVALID_REQUEST' }, text);
  }
});

t.test('the token’s limit shortens a lifetime', async (t) => {
  t.same(
    [
      shorterLifetime(day, '1h'),
      shorterLifetime(hour, '1d'),
      shorterLifetime(undefined, '1h'),
      shorterLifetime(hour, null),
    ],
    [hour, hour, hour, hour],
  );
  t.equal(shorterLifetime(undefined, null), undefined);
});
