/** Every family that /metrics tells, in a registry of its own. Loaded only where METRICS_PORT is set (docs/monitoring.md). */
import cluster from 'node:cluster';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { BeginQuery } from '../../database/watched-queries.ts';
import type { Figures } from '../figures.ts';
import type { Metrics } from '../metrics-server.ts';
import { databaseMeter } from './database.ts';
import { decoderMeters } from './decoders.ts';
import { httpMeter } from './http.ts';
import { buildMeter, type CacheFigures, cacheMeter, dataDirMeter, figuresMeter } from './state.ts';
import { workMeter } from './work.ts';

type Parts = { version: string; dataDir: string; slow: () => number; pool: number };

export type Meters = ReturnType<typeof createMeters>;

export function createMeters({ version, dataDir, slow, pool }: Parts) {
  const registry = new Registry();
  if (cluster.isWorker) {
    // This is what the primary is answered (of-workers.ts).
    AggregatorRegistry.setRegistries(registry);
    new AggregatorRegistry();
  }
  collectDefaultMetrics({ register: registry });
  buildMeter(registry, version);
  dataDirMeter(registry, dataDir);
  const beginQuery: BeginQuery = databaseMeter(registry, { slow, pool });
  const metrics: Metrics = async () => ({ type: registry.contentType, text: await registry.metrics() });
  return {
    http: httpMeter(registry),
    work: workMeter(registry),
    decoders: decoderMeters(registry),
    beginQuery,
    watchCache: (figures: () => CacheFigures, most: number) => cacheMeter(registry, figures, most),
    watchCollection: (figures: () => Promise<Figures | undefined>) => figuresMeter(registry, figures),
    metrics,
  };
}
