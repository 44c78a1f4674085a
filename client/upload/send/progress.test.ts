import t from 'tap';
import {
  addSample,
  addSent,
  coarseSeconds,
  divideSent,
  milestone,
  type Progress,
  type Sample,
  shiftSamples,
  speedOf,
  stopMeasuring,
} from './progress.ts';

t.test('sent bytes are assigned to the files in order', async (t) => {
  t.same(divideSent([100, 200, 100], 0, 400), [0, 0, 0]);
  t.same(divideSent([100, 200, 100], 200, 400), [100, 100, 0]);
  t.same(divideSent([100, 200, 100], 400, 400), [100, 200, 100]);
});

t.test('multipart overhead is shared out, so that the bars end full', async (t) => {
  t.same(divideSent([100, 100], 220, 440), [100, 0]);
  t.same(divideSent([100, 100], 440, 440), [100, 100]);
  t.same(divideSent([0, 0], 0, 0), [0, 0]);
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

const none: Progress = new Map();
const speedIn = (progress: Progress, id: number): number | null => speedOf(progress.get(id)?.samples ?? []);

t.test('each file has its own speed, measured from its first byte', async (t) => {
  let progress = addSent(none, 0, new Map([[1, 1000]]));
  progress = addSent(progress, 10_000, new Map([[2, 10]]));
  progress = addSent(progress, 11_000, new Map([[2, 60]]));
  t.equal(speedIn(progress, 1), null);
  t.equal(speedIn(progress, 2), 50);
});

t.test('progress replaces only the entries of files that moved', async (t) => {
  const before = addSent(
    none,
    0,
    new Map([
      [1, 1000],
      [2, 10],
    ]),
  );
  const after = addSent(
    before,
    1000,
    new Map([
      [1, 1000],
      [2, 20],
    ]),
  );
  t.equal(after.get(1), before.get(1));
  t.not(after.get(2), before.get(2));
});

t.test('a measurement that stopped starts again', async (t) => {
  let progress = addSent(none, 0, new Map([[1, 500]]));
  progress = stopMeasuring(addSent(progress, 1000, new Map([[1, 1500]])));
  t.same(progress.get(1), { sent: 1500, samples: [] });
  progress = addSent(progress, 60_000, new Map([[1, 2000]]));
  t.equal(speedIn(progress, 1), null);
  t.equal(speedIn(addSent(progress, 61_000, new Map([[1, 2600]])), 1), 600);
});

t.test('bytes found on the server do not change the speed', async (t) => {
  const samples = [
    { at: 0, bytes: 0 },
    { at: 1000, bytes: 300 },
  ];
  t.equal(speedOf(shiftSamples(samples, 5000)), speedOf(samples));
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
