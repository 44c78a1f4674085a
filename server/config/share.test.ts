import { availableParallelism } from 'node:os';
import t from 'tap';
import { readConfig } from './read-config.ts';
import { shareOf } from './share.ts';

const of = (workers: number) => shareOf({ ...readConfig({}), workers });

t.test('one process has all', async (t) => {
  const { maxConnections, cacheSize } = readConfig({});
  t.match(of(1), { maxConnections, cacheSize, poolSize: 10, listConnections: 4, decoders: availableParallelism() });
});

t.test('many together have hardly more than one, and each enough to work', async (t) => {
  const { maxConnections, cacheSize } = readConfig({});
  for (const workers of [2, 3, 8, 128]) {
    const share = of(workers);
    t.ok(share.cacheSize * workers <= cacheSize);
    t.ok(share.maxConnections * workers < maxConnections + workers);
    t.ok(share.decoders * workers < availableParallelism() + workers);
    t.ok(share.decoders >= 1 && share.poolSize >= 4);
    t.equal(share.of(64) * workers >= 64, true);
  }
  t.same(
    [2, 4, 8].map((workers) => of(workers).poolSize),
    [10, 5, 4],
  );
  t.same(
    [2, 4, 8].map((workers) => of(workers).listConnections),
    [4, 2, 2],
  );
});
