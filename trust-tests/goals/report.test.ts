import t from 'tap';
import type { Measurement } from '../testing/measured.ts';
import { reportOf } from './report.ts';

const lines = (...measurements: Measurement[]) => measurements.map((each) => `${JSON.stringify(each)}\n`).join('');
const row = (table: string, id: string) => table.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';

t.test('a goal that was not measured is never reported as held', async (t) => {
  const { table, broken } = reportOf('');
  t.equal(table.split('\n').length, 22, 'all goals and a header');
  t.match(row(table, 'G6'), /not measured/);
  t.notMatch(table, /\bheld\b/i);
  t.notOk(broken);
});

t.test('a goal measured in some of its parts is partly held', async (t) => {
  const one = { goal: 'G7', part: '16 at once', seen: '700 MB', held: true };
  t.match(row(reportOf(lines(one)).table, 'G7'), /partly: 1 of 2.*700 MB/);
  const other = { ...one, part: '4 AVIF at once' };
  t.match(row(reportOf(lines(one, other)).table, 'G7'), /^G7 +held/);
});

t.test('one measurement beyond its limit breaks the goal, whatever the others show', async (t) => {
  const good = { goal: 'G6', seen: '300 MB', held: true };
  const { table, broken } = reportOf(lines(good, { ...good, seen: '3.1 GB', held: false }, good));
  t.match(row(table, 'G6'), /NOT HELD.*3\.1 GB/);
  t.ok(broken);
});

t.test('a measurement without a part can break a goal with parts, but does not hold it', async (t) => {
  const beside = { goal: 'G8', seen: '0 of 6', held: true };
  t.match(row(reportOf(lines(beside)).table, 'G8'), /^G8 +not measured/);
  const kills = { ...beside, part: 'kills', seen: '0 of 345' };
  t.match(row(reportOf(lines(beside, kills)).table, 'G8'), /^G8 +held .*0 of 345/);
  t.match(row(reportOf(lines({ ...beside, held: false }, kills)).table, 'G8'), /NOT HELD/);
  const race = { goal: 'G19', part: 'at once', seen: '20 of 20', held: true };
  t.match(row(reportOf(lines(race)).table, 'G19'), /partly: 1 of 2/, 'one part does not hold for a part that threw');
});

t.test('a goal measured less often than it demands is held for that count', async (t) => {
  const kills = { goal: 'G8', part: 'kills', seen: '0 of 345', held: true };
  const count = { made: 10, wanted: 100, what: 'kills' };
  t.match(row(reportOf(lines({ ...kills, count })).table, 'G8'), /^G8 +held, 10 of 100 kills/);
  const paths = {
    goal: 'G15',
    part: 'login',
    seen: '1 ms',
    held: true,
    count: { made: 60, wanted: 200, what: 'pairs' },
  };
  const { table } = reportOf(lines(paths, { ...paths, part: 'register' }));
  t.match(row(table, 'G15'), /^G15 +held, 2 reduced .*login 60 of 200 pairs/);
});

t.test('a figure that this machine could not measure is neither a failure nor held', async (t) => {
  const slow = { goal: 'G20', seen: '3 s', held: false, unsure: 'a start alone takes 9 s' };
  const { table, broken } = reportOf(lines(slow));
  t.match(row(table, 'G20'), /^G20 +not measured.*3 s, not measurable here: a start alone takes 9 s/);
  t.notOk(broken);
});
