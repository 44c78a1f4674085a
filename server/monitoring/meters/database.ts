import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { BeginQuery, QueryState } from '../../database/driver/query-observer.ts';

type Parts = {
  /** Slow queries since the start. */
  slow: () => number;
  /** Maximum connections. */
  pool: number;
};

export function databaseMeter(registry: Registry, { slow, pool }: Parts): BeginQuery {
  const registers = [registry];
  const open = new Set<QueryState>();
  const durations = new Histogram({
    name: 'gallery_database_query_duration_seconds',
    help: 'Duration of statements, including the wait for a connection.',
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const failures = new Counter({
    name: 'gallery_database_query_failures_total',
    help: 'Statements that failed, including those that are expected to fail sometimes.',
    registers,
  });
  let counted = 0;
  new Counter({
    name: 'gallery_database_slow_queries_total',
    help: 'Statements that took SLOW_QUERY or longer.',
    registers,
    collect() {
      const count = slow();
      this.inc(count - counted);
      counted = count;
    },
  });
  new Gauge({
    name: 'gallery_database_queries',
    help: 'Statements that are running, or waiting for a connection.',
    labelNames: ['state'],
    registers,
    collect() {
      let waiting = 0;
      for (const { active } of open) if (!active) waiting += 1;
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'running' }, open.size - waiting);
    },
  });
  new Gauge({
    name: 'gallery_database_pool_connections',
    help: 'Maximum connections of this process.',
    registers,
    collect() {
      this.set(pool);
    },
  });

  return (_text, state) => {
    const began = performance.now();
    open.add(state);
    return (error) => {
      open.delete(state);
      durations.observe((performance.now() - began) / 1000);
      if (error !== undefined) failures.inc();
    };
  };
}
