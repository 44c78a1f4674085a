import { readFile } from 'node:fs/promises';
import t from 'tap';
import { manual, reckon, tablesIn } from './capacity.ts';
import { needOf } from './growth/model.ts';
import { simulate } from './growth/simulate.ts';

const costs = {
  upload: { app: 130, database: 5, behind: 1000, databaseBehind: 1, transactions: 3, log: 10_000 },
  list: { app: 0.5, database: 0.2, bytes: 12_000 },
  thumbnail: { app: 0.03, bytes: 25_000 },
  original: { app: 4, bytes: 4_000_000 },
  screen: { app: 0.3, bytes: 300_000 },
  stored: 4_500_000,
  table: 500,
  indexes: 700,
};

t.test('the tables in the manual match those computed from the last measured costs', async (t) => {
  t.equal(tablesIn(await readFile(manual, 'utf8')), await reckon(), 'npm run bench -- capacity updates them');
});

t.test('twice the users need twice the bytes, rows and processors', (t) => {
  const [one, two] = [needOf(1e7, costs), needOf(2e7, costs)];
  for (const key of ['busy', 'databaseBusy', 'images', 'rows', 'stored', 'sentBits', 'transactions'] as const)
    t.ok(Math.abs(two[key] / one[key] - 2) < 1e-9, key);
  t.ok(Math.abs(two.cores / one.cores - 2) < 0.01);
  t.end();
});

t.test('the limit that is exceeded most comes first, and each limit names what takes over', (t) => {
  const { loads } = needOf(1e8, costs);
  const times = loads.map(({ now, most }) => now / most);
  t.same(
    times,
    times.toSorted((a, b) => b - a),
  );
  t.ok((times[0] ?? 0) > 1);
  for (const next of ['CDN', 'read replicas', 'partitions by owner', 'Citus, by owner'])
    t.ok(
      loads.some((load) => load.next === next),
      next,
    );
  t.end();
});

const calls = 100_000;

t.test(
  'list calls wait longer without some processes, by their share of all, and the simulation is deterministic',
  (t) => {
    for (const users of [1e6, 1e8]) {
      const need = needOf(users, costs);
      const all = simulate(need, costs, 0, calls);
      t.ok(simulate(need, costs, need.cores / 2, calls).p99 > all.p99, `half of ${need.cores}`);
      t.ok(all.median > 0.1 && all.p99 > all.median);
      t.same(simulate(need, costs, 0, calls), all);
    }
    const need = needOf(1e8, costs);
    const [all, one] = [simulate(need, costs, 0, calls), simulate(need, costs, 1, calls)];
    t.ok(Math.abs(one.p99 / all.p99 - 1) < 0.01, `one of ${need.cores} is hardly missed`);
    t.end();
  },
);

t.test('list calls wait longer when decoders share the cores', (t) => {
  const without = { ...costs, upload: { ...costs.upload, behind: 0 } };
  const need = needOf(1e6, costs);
  t.ok(simulate(need, costs, 0, calls).median > simulate(need, without, 0, calls).median);
  t.end();
});
