/** All metrics of /metrics in a separate registry. Loaded only if METRICS_PORT is set (docs/run/monitoring.md). */
import cluster from 'node:cluster';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BeginQuery } from '../../database/driver/query-observer.ts';
import { reportToPrimary } from '../aggregate.ts';
import type { FiguresOfAll } from '../figures.ts';
import type { Metrics } from '../metrics-server.ts';
import { databaseMeter } from './database.ts';
import { decoderMeters } from './decoders.ts';
import { httpMeter } from './http.ts';
import { buildMeter, type CacheFigures, cacheMeter, dataDirMeter, figuresMeter, workersMeter } from './state.ts';
import { workMeter } from './work.ts';

type Parts = { version: string; dataDir: string; workers: number; slow: () => number; pool: number };

const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

export type Meters = ReturnType<typeof createMeters>;

export function createMeters({ version, dataDir, workers, slow, pool }: Parts) {
  const registry = new Registry();
  const sendLastReport = cluster.isWorker ? reportToPrimary(registry) : undefined;
  collectDefaultMetrics({ register: registry });
  // Gauges with names of counters, which the Prometheus linter refuses.
  for (const name of misnamed) registry.removeSingleMetric(name);
  // An average over several processes would hide a stuck one.
  const late = registry.getSingleMetric('nodejs_eventloop_lag_p99_seconds');
  if (late) Object.assign(late, { aggregator: 'max' });
  buildMeter(registry, version);
  workersMeter(registry, workers);
  dataDirMeter(registry, dataDir);
  const beginQuery: BeginQuery = databaseMeter(registry, { slow, pool });
  const metrics: Metrics = async () => ({ type: registry.contentType, text: await registry.metrics() });
  return {
    http: httpMeter(registry),
    work: workMeter(registry),
    decoders: decoderMeters(registry),
    beginQuery,
    watchCache: (figures: () => CacheFigures, max: number) => cacheMeter(registry, figures, max),
    watchCollection: (figures: FiguresOfAll) => figuresMeter(registry, figures.read),
    metrics,
    /** Sends the last report to the primary. */
    close: async () => sendLastReport?.(),
  };
}
