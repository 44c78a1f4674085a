import t from 'tap';
import type { Measurement } from '../testing/measured.ts';
import { reportOf } from './report.ts';

const lines = (...measurements: Measurement[]) => measurements.map((each) => `${JSON.stringify(each)}\n`).join('');
const row = (table: string, id: string) => table.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';

t.test('a goal that was not measured is never called held', async (t) => {
  const { table, broken } = reportOf('');
  t.equal(table.split('\n').length, 22, 'all goals and a head');
  t.match(row(table, 'G6'), /not measured/);
  t.notMatch(table, /\bheld\b/i);
  t.notOk(broken);
});

t.test('a goal measured in some of its parts is held in part alone', async (t) => {
  const one = { goal: 'G7', part: '16 at once', seen: '700 MB', held: true };
  t.match(row(reportOf(lines(one)).table, 'G7'), /partly: 1 of 2.*700 MB/);
  const other = { ...one, part: '4 AVIF at once' };
  t.match(row(reportOf(lines(one, other)).table, 'G7'), /^G7 +held/);
});

t.test('one measurement beyond its number breaks the goal, whatever the others saw', async (t) => {
  const good = { goal: 'G6', seen: '300 MB', held: true };
  const { table, broken } = reportOf(lines(good, { ...good, seen: '3.1 GB', held: false }, good));
  t.match(row(table, 'G6'), /NOT HELD.*3\.1 GB/);
  t.ok(broken);
});
