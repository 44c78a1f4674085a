import t from 'tap';
import type { Change } from './pending.ts';
import { createSpeeds } from './speeds.ts';

const of = (changes: Record<number, Change>) =>
  new Map(Object.entries(changes).map(([id, each]) => [Number(id), each]));

t.test('each file has a speed of its own', async (t) => {
  const speeds = createSpeeds();
  speeds.add(0, of({ 1: { status: 'sending', sent: 0 }, 2: { status: 'sending', sent: 0 } }));
  speeds.add(100, of({ 1: { sent: 1000 }, 2: { sent: 10 } }));
  const told = speeds.add(1100, of({ 1: { sent: 3000 }, 2: { sent: 60 } }));
  t.same(told.get(1), { sent: 3000, speed: 2000 });
  t.same(told.get(2), { sent: 60, speed: 50 });
});

t.test('a file that comes later in a request is measured from its own first bytes', async (t) => {
  const speeds = createSpeeds();
  speeds.add(0, of({ 1: { status: 'sending', sent: 0 } }));
  speeds.add(10_000, of({ 1: { sent: 0 } }));
  speeds.add(20_000, of({ 1: { sent: 500 } }));
  t.equal(speeds.add(20_500, of({ 1: { sent: 1000 } })).get(1)?.speed, 1000);
});

t.test('a file has no speed before there is one to measure, nor when it is not sent any more', async (t) => {
  const speeds = createSpeeds();
  t.equal(speeds.add(0, of({ 1: { sent: 500 } })).get(1)?.speed, undefined);
  t.equal(speeds.add(1000, of({ 1: { sent: 1000 } })).get(1)?.speed, 500);
  const waiting = speeds.add(1100, of({ 1: { status: 'waiting', sent: 1000 } })).get(1);
  t.ok(waiting && 'speed' in waiting, 'what the file had is taken from it');
  t.equal(waiting?.speed, undefined);
  t.equal(speeds.add(9000, of({ 1: { sent: 2000 } })).get(1)?.speed, undefined, 'it begins anew');
});

t.test('after a lost connection the speed begins anew', async (t) => {
  const speeds = createSpeeds();
  speeds.add(0, of({ 1: { sent: 500 } }));
  speeds.forget();
  t.equal(speeds.add(60_000, of({ 1: { sent: 1000 } })).get(1)?.speed, undefined);
});

t.test('what says nothing of bytes leaves the speed as it is', async (t) => {
  t.same(
    createSpeeds()
      .add(0, of({ 1: { url: 'u' } }))
      .get(1),
    { url: 'u' },
  );
});
