import { readFile } from 'node:fs/promises';
import t from 'tap';
import { manual, reckon, tableIn } from './capacity.ts';
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

t.test('the table in the manual is what is reckoned from the last measured costs', async (t) => {
  t.equal(tableIn(await readFile(manual, 'utf8')), await reckon(), 'npm run bench -- capacity writes it anew');
});

t.test('twice the users need twice the bytes, rows and processors', (t) => {
  const [one, two] = [needOf(1e7, costs), needOf(2e7, costs)];
  for (const key of ['busy', 'databaseBusy', 'images', 'rows', 'stored', 'sentBits', 'transactions'] as const)
    t.ok(Math.abs(two[key] / one[key] - 2) < 1e-9, key);
  t.ok(Math.abs(two.cores / one.cores - 2) < 0.01);
  t.end();
});

t.test('what is passed the furthest stands first', (t) => {
  const { loads } = needOf(1e8, costs);
  const [first, second] = loads.map(({ now, most }) => now / most);
  t.ok((first ?? 0) >= (second ?? 0));
  t.ok((first ?? 0) > 1);
  t.end();
});

t.test('list calls wait longer where a process is away, and the same each time', (t) => {
  const need = needOf(1e6, costs);
  const [all, fewer] = [simulate(need, costs), simulate(need, costs, need.cores - 1)];
  t.ok(fewer.p99 > all.p99);
  t.ok(all.median > 0.1 && all.p99 > all.median);
  t.same(simulate(need, costs), all);
  t.end();
});
