import { AggregatorRegistry, Registry } from 'prom-client';
import t from 'tap';
import { parseMetrics, sumOf } from '../../testing/metrics.ts';
import { cacheMeter } from './state.ts';

t.test('the aggregate of several processes reports a missed subscription of any, and sums the rest', async (t) => {
  const ofEach = [true, false, true, true].map((isLive) => {
    const registry = new Registry();
    cacheMeter(registry, () => ({ hits: 1, misses: 2, entries: 3, bytes: 4, isLive }), 5);
    return registry.getMetricsAsJSON();
  });
  const samples = parseMetrics(await AggregatorRegistry.aggregate(await Promise.all(ofEach)).metrics());
  t.equal(sumOf(samples, 'gallery_link_cache_current'), 0);
  t.equal(sumOf(samples, 'gallery_link_cache_bytes'), 16);
  t.equal(sumOf(samples, 'gallery_link_cache_max_bytes'), 20);
});
