import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { connect } from '../../database/connect.ts';
import { eventually } from '../../testing/eventually.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { waitingForLocks } from '../../testing/waiting.ts';
import { createCounter } from './rate-limit.ts';

const minute = 60_000;

async function open(t: Test) {
  const { url } = await createTestDatabase(t);
  const [calls, holder] = [connect(url, { max: 2 }), connect(url, { max: 2 })];
  t.teardown(() => Promise.all([calls.close(), holder.close()]));
  return { count: createCounter(calls.db), holder: holder.db, key: randomUUID() };
}

t.test('concurrent attempts of one key use one connection', async (t) => {
  const { count, holder, key } = await open(t);
  await count(key, minute, 100);
  let isAnswered = false;
  let waiting = 0;
  const pending = await holder.transaction(async (tx) => {
    await tx.execute(sql`select 1 from rate_limits where key = ${key} for update`);
    const counts = Promise.all(Array.from({ length: 5 }, () => count(key, minute, 100)));
    const other = count('other', minute, 100).then(() => {
      isAnswered = true;
    });
    await eventually('one count waits for the lock and the other is answered, or two counts wait', async () => {
      waiting = await waitingForLocks(holder);
      return waiting > 1 || (waiting === 1 && isAnswered);
    });
    return { counts, other };
  });
  t.equal(waiting, 1);
  await pending.other;
  const counts = (await pending.counts).map(({ count }) => count);
  t.same(counts, [2, 3, 4, 5, 6], 'each attempt is counted');
});

t.test('a key beyond its limit is refused without a query until its window ends', async (t) => {
  const { count, holder, key } = await open(t);
  const window = 2000;
  for (const expected of [1, 2]) t.equal((await count(key, window, 1)).count, expected);
  const [before] = await holder.execute(sql`select count from rate_limits where key = ${key}`);
  t.match(await count(key, window, 1), { count: 2, msLeft: Number });
  const [after] = await holder.execute(sql`select count from rate_limits where key = ${key}`);
  t.same(after, before);
  await eventually('the next window', async () => (await count(key, window, 1)).count === 1);
});
