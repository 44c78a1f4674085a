import t from 'tap';
import type { Change } from '../list/pending.ts';
import { createSpeeds } from './speeds.ts';

const of = (changes: Record<number, Change>) =>
  new Map(Object.entries(changes).map(([id, each]) => [Number(id), each]));

t.test('each file has a separate speed', async (t) => {
  const speeds = createSpeeds();
  speeds.add(0, of({ 1: { status: 'sending', sent: 0 }, 2: { status: 'sending', sent: 0 } }));
  speeds.add(100, of({ 1: { sent: 1000 }, 2: { sent: 10 } }));
  const told = speeds.add(1100, of({ 1: { sent: 3000 }, 2: { sent: 60 } }));
  t.same(told.get(1), { sent: 3000, speed: 2000 });
  t.same(told.get(2), { sent: 60, speed: 50 });
});

t.test('a file later in a request is measured from its first byte', async (t) => {
  const speeds = createSpeeds();
  speeds.add(0, of({ 1: { status: 'sending', sent: 0 } }));
  speeds.add(10_000, of({ 1: { sent: 0 } }));
  speeds.add(20_000, of({ 1: { sent: 500 } }));
  t.equal(speeds.add(20_500, of({ 1: { sent: 1000 } })).get(1)?.speed, 1000);
});

t.test('a file has no speed before a measurement exists, nor when it is no longer being sent', async (t) => {
  const speeds = createSpeeds();
  t.equal(speeds.add(0, of({ 1: { sent: 500 } })).get(1)?.speed, undefined);
  t.equal(speeds.add(1000, of({ 1: { sent: 1000 } })).get(1)?.speed, 500);
  const waiting = speeds.add(1100, of({ 1: { status: 'waiting', sent: 1000 } })).get(1);
  t.ok(waiting && 'speed' in waiting, 'the speed is cleared');
  t.equal(waiting?.speed, undefined);
  t.equal(speeds.add(9000, of({ 1: { sent: 2000 } })).get(1)?.speed, undefined, 'the measurement starts again');
});

t.test('the measurement starts again after a lost connection', async (t) => {
  const speeds = createSpeeds();
  speeds.add(0, of({ 1: { sent: 500 } }));
  speeds.forget();
  t.equal(speeds.add(60_000, of({ 1: { sent: 1000 } })).get(1)?.speed, undefined);
});

t.test('a change without bytes keeps the speed', async (t) => {
  t.same(
    createSpeeds()
      .add(0, of({ 1: { url: 'u' } }))
      .get(1),
    { url: 'u' },
  );
});
