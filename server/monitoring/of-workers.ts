/** With WORKERS=n the primary answers for all of them: counts summed up, and what all share told once. */
import { AggregatorRegistry } from 'prom-client';
import type { Metrics } from './metrics-server.ts';

export function metricsOfWorkers(): Metrics {
  const registry = new AggregatorRegistry();
  return async () => ({ type: registry.contentType, text: await registry.clusterMetrics() });
}
