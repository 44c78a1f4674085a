import t from 'tap';
import { createReserve } from './reserve.ts';

const MIB = 2 ** 20;

/** @param size and free: MiB */
function disk(size: number, free: number) {
  const state = { free, now: 0, asked: 0 };
  const look = async () => {
    state.asked += 1;
    return { bavail: state.free, blocks: size, bsize: MIB };
  };
  return { state, reserve: createReserve('/data/postgres', look, () => state.now) };
}

t.test('an upload that would use the reserve of 512 MiB is refused', async (t) => {
  const { reserve } = disk(100_000, 612);
  await reserve.admit(100 * MIB);
  const { reserve: another } = disk(100_000, 612);
  await t.rejects(another.admit(100 * MIB + 1), { code: 'NO_SPACE' });
});

t.test('a tenth of a small disk stays free', async (t) => {
  const { reserve } = disk(200, 21);
  t.equal(await reserve.room(), MIB);
  await t.rejects(reserve.admit(2 * MIB), { code: 'NO_SPACE' });
});

t.test('an announced length reserves nothing; written bytes count until the disk is checked again', async (t) => {
  const { state, reserve } = disk(100_000, 612);
  await reserve.admit(100 * MIB);
  await reserve.admit(100 * MIB);
  await reserve.write(80 * MIB);
  t.equal(await reserve.room(), 20 * MIB);
  await t.rejects(reserve.admit(30 * MIB), { code: 'NO_SPACE' });
  state.free = 532;
  state.now = 1000;
  t.equal(await reserve.room(), 20 * MIB, 'not counted twice');
});

t.test('admitted uploads stop at the reserve', async (t) => {
  const { reserve } = disk(100_000, 612);
  for (let upload = 0; upload < 20; upload += 1) await reserve.admit(10 * MIB);
  for (let upload = 0; upload < 10; upload += 1) await reserve.write(10 * MIB);
  await t.rejects(reserve.write(1), { code: 'NO_SPACE' });
});

t.test('the disk is checked at most once a second', async (t) => {
  const { state, reserve } = disk(100_000, 100_000);
  await Promise.all(Array.from({ length: 50 }, () => reserve.admit(1)));
  t.equal(state.asked, 1);
  state.free = 0;
  state.now = 1000;
  await t.rejects(reserve.admit(1), { code: 'NO_SPACE' });
  t.equal(state.asked, 2);
});

t.test('a disk that cannot be checked refuses nothing', async (t) => {
  const reserve = createReserve('/nonexistent/postgres');
  await reserve.admit(1);
  t.pass();
});
