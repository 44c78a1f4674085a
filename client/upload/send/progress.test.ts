import t from 'tap';
import { addSample, coarseSeconds, laySent, milestone, type Sample, speedOf } from './progress.ts';

t.test('sent bytes are assigned to the files in order', async (t) => {
  t.same(laySent([100, 200, 100], 0, 400), [0, 0, 0]);
  t.same(laySent([100, 200, 100], 200, 400), [100, 100, 0]);
  t.same(laySent([100, 200, 100], 400, 400), [100, 200, 100]);
});

t.test('multipart overhead is shared out, so that the bars end full', async (t) => {
  t.same(laySent([100, 100], 220, 440), [100, 0]);
  t.same(laySent([100, 100], 440, 440), [100, 100]);
  t.same(laySent([0, 0], 0, 0), [0, 0]);
});

t.test('speed is measured over the last three seconds', async (t) => {
  let samples: readonly Sample[] = [{ at: 0, bytes: 0 }];
  t.equal(speedOf(samples), null);
  for (let at = 500; at <= 10_000; at += 500) {
    const bytes = at <= 6000 ? at : 6000 + (at - 6000) * 2;
    samples = addSample(samples, { at, bytes });
  }
  t.equal(speedOf(samples), 2000);
  t.ok(samples.length <= 8);
});

t.test('a stalled connection has no speed', async (t) => {
  t.equal(
    speedOf([
      { at: 0, bytes: 5 },
      { at: 1000, bytes: 5 },
    ]),
    null,
  );
});

t.test('the time left is rounded to coarse steps', async (t) => {
  t.same([0.2, 4, 6, 14, 59, 61, 130, 4000].map(coarseSeconds), [5, 5, 10, 20, 60, 120, 180, 7200]);
});

t.test('each quarter is reported once', async (t) => {
  t.equal(milestone(0, 0.24), null);
  t.equal(milestone(0.24, 0.25), 25);
  t.equal(milestone(0.25, 0.4), null);
  t.equal(milestone(0.2, 0.8), 75);
});
