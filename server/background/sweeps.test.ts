import t, { type Test } from 'tap';
import { connect } from '../database/connect.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { createSweeps } from './sweeps.ts';

/** A process with nothing of its own to sweep. */
function processOf(t: Test, url: string, task: (closing: AbortSignal) => Promise<unknown>) {
  const { db, close } = connect(url, { max: 2 });
  const logged: string[] = [];
  const note = (_details: object, message: string) => void logged.push(message);
  const sweeps = createSweeps({
    db,
    sweepFiles: async () => undefined,
    orphanedBlobs: { sweepOwn: async () => 0, sweepDead: async () => 0 },
    log: { info: note, warn: note },
  });
  sweeps.add('crumbs', task);
  t.teardown(async () => {
    sweeps.stop();
    await sweeps.settled();
    await close();
  });
  return { sweeps, logged };
}

t.test('one of several concurrent processes sweeps for all, and any of them in the next minute', async (t) => {
  const { url } = await createTestDatabase(t);
  const swept: number[] = [];
  const all = [1, 2, 3, 4].map((one) => processOf(t, url, async () => swept.push(one)));
  await Promise.all(all.map(({ sweeps }) => sweeps.sweepShared()));
  t.equal(swept.length, 1);
  await Promise.all(all.map(({ sweeps }) => sweeps.sweepShared()));
  t.equal(swept.length, 1, 'the lease has not expired');

  const { sql, close } = connect(url, { max: 1 });
  t.teardown(close);
  const dead = (swept[0] ?? 0) - 1;
  const others = all.filter((_, index) => index !== dead);
  await sql`update leases set expires_at = now() where name = 'sweep'`;
  await Promise.all(others.map(({ sweeps }) => sweeps.sweepShared()));
  t.equal(swept.length, 2, 'the lease of a dead process expires');
  t.same(
    all.flatMap(({ logged }) => logged),
    [],
  );
});

t.test('a sweep that is running is joined', async (t) => {
  const { url } = await createTestDatabase(t);
  const held: (() => void)[] = [];
  const { sweeps } = processOf(t, url, () => new Promise((resolve) => held.push(() => resolve(undefined))));
  const all = [sweeps.run(), sweeps.run()];
  await eventually('the task has begun', () => held.length === 1);
  held[0]?.();
  await Promise.all(all);
  t.equal(held.length, 1);
});

t.test('a failed sweep is logged, and the others run', async (t) => {
  const { url } = await createTestDatabase(t);
  const { sweeps, logged } = processOf(t, url, () => Promise.reject(new Error('gone')));
  let swept = 0;
  sweeps.add('dust', async () => {
    swept += 1;
  });
  await sweeps.sweepShared();
  t.equal(swept, 1);
  t.same(logged, ['sweep of crumbs failed; retrying in a minute']);
});
