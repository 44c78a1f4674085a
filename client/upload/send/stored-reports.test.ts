import t from 'tap';
import { createReports } from './stored-reports.ts';

t.test('images stored in one burst are reported at its start and once after it', async (t) => {
  const reports: number[] = [];
  const timers: (() => void)[] = [];
  const report = createReports(
    (images) => reports.push(images),
    (work) => timers.push(work),
  );
  report(1);
  t.same(reports, [1], 'the first one at once');
  for (let count = 0; count < 20; count += 1) report(1);
  t.same(reports, [1]);
  timers.shift()?.();
  t.same(reports, [1, 20]);
  timers.shift()?.();
  t.same([reports, timers.length], [[1, 20], 0], 'nothing more to report');
  report(0);
  t.same(reports, [1, 20, 0], 'a refusal changes the usage');
});
