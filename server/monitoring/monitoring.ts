/** Features whose variables are not set are not loaded; their inputs are returned unchanged. */
import type { FastifyBaseLogger } from 'fastify';
import { type Config, usuallySlow } from '../config/config.ts';
import type { Share } from '../config/share.ts';
import type { ClientDatabase } from '../database/connect.ts';
import type { BeginQuery } from '../database/driver/query-observer.ts';
import type { Level } from '../decoder/cage/launch.ts';
import type { DecodeListener } from '../decoder/decoder.ts';
import { screenAvifKey, screenKey, thumbnailAvifKey, thumbnailKey } from '../images/keys.ts';
import type { IngestMeter } from '../ingest/ingest.ts';
import { programVersion } from '../lib/version.ts';
import type { Storage } from '../storage/storage.ts';
import { decodeListener } from './decode-listener.ts';
import { createFigures, type FiguresOfAll } from './figures.ts';
import type { Pool } from './meters/decoders.ts';
import type { Meters } from './meters/meters.ts';
import type { CacheFigures } from './meters/state.ts';
import type { Metrics } from './metrics-server.ts';
import { readCounts, readJobs, type Sampled, sampleImages } from './queries.ts';
import { requestMonitoring } from './requests.ts';
import { createSlowQueries } from './slow-queries.ts';
import { allQueries, combineInstruments } from './spans.ts';
import type { Tracing } from './tracing.ts';
import { watchStorage } from './watch-storage.ts';

export type Monitoring = {
  requests: typeof requestMonitoring;
  requestOptions: Parameters<typeof requestMonitoring>[1];
  /** For the database client; undefined if nothing watches queries. */
  beginQuery: BeginQuery | undefined;
  watchStorage(storage: Storage): Storage;
  /** Undefined if nothing watches uploads. */
  ingestMeter: IngestMeter | undefined;
  /** Records the isolation level of the decoders. */
  onIsolation: (level: Level) => void;
  /** Counts the pictures of a decoder; undefined without METRICS_PORT. */
  decodeListener(pool: Pool): DecodeListener | undefined;
  /** Traces one picture from its queueing to its end. */
  traceDecode: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  watchCache(figures: () => CacheFigures): void;
  /** Reads the storage unwatched, so that its own calls are not counted. */
  watchCollection(db: ClientDatabase): Pick<FiguresOfAll, 'close'>;
  /** Undefined without METRICS_PORT. */
  metrics: Metrics | undefined;
  close(): Promise<void>;
};

const keysOf = (image: Sampled) => [
  { kind: 'thumbnails' as const, key: thumbnailKey(image) },
  { kind: 'thumbnails' as const, key: thumbnailAvifKey(image) },
  { kind: 'screens' as const, key: screenKey(image) },
  { kind: 'screens' as const, key: screenAvifKey(image) },
];

async function openMeters(config: Config, slow: () => number, pool: number): Promise<Meters | undefined> {
  const { metricsPort, dataDir, workers } = config;
  if (metricsPort === undefined) return undefined;
  const { createMeters } = await import('./meters/meters.ts');
  return createMeters({ version: programVersion(), dataDir, workers, slow, pool });
}

async function openTraces(config: Config, log: FastifyBaseLogger): Promise<Tracing | undefined> {
  const { otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint } = config;
  if (!otelExporterOtlpEndpoint && !otelExporterOtlpTracesEndpoint) return undefined;
  const { openTracing } = await import('./tracing.ts');
  return openTracing(config, programVersion(), log);
}

type Parts = { config: Config; log: FastifyBaseLogger; share: Pick<Share, 'poolSize' | 'cacheSize'> };

export async function openMonitoring({ config, log, share }: Parts): Promise<Monitoring> {
  const slow = createSlowQueries({ from: config.slowQuery ?? usuallySlow, log });
  const meters = await openMeters(config, slow.count, share.poolSize);
  const tracing = await openTraces(config, log);
  const instrument = combineInstruments(meters?.work.instrument, tracing?.instrument);
  const none = () => undefined;
  let unwatched: Pick<Storage, 'stat'> | undefined;

  return {
    requests: requestMonitoring,
    requestOptions: {
      meter: meters?.http,
      tracing,
      // By default work does not know its request, because tracking it slows every promise.
      follow: config.slowQuery !== undefined && slow.begin !== undefined,
    },
    beginQuery: allQueries([meters?.beginQuery, slow.begin, tracing?.beginQuery]),
    watchStorage(storage) {
      unwatched = storage;
      return instrument ? watchStorage(storage, { instrument, onWritten: meters?.work.onWritten ?? none }) : storage;
    },
    ingestMeter: instrument && {
      measure: (stage, work) => instrument({ kind: 'ingest', stage }, work),
      onStored: meters?.work.onStored ?? none,
      onRefused: meters?.work.onRefused ?? none,
    },
    onIsolation: meters?.decoders.onIsolation ?? none,
    decodeListener: (pool) => meters && decodeListener(meters.decoders.pools[pool]),
    traceDecode: instrument && ((work) => instrument({ kind: 'ingest', stage: 'decode' }, work)),
    watchCache: (figures) => meters?.watchCache(figures, share.cacheSize),
    watchCollection(db) {
      const figures = createFigures({
        readCounts: () => readCounts(db),
        readJobs: () => readJobs(db),
        sample: (images, wanted) => sampleImages(db, images, wanted),
        keysOf,
        sizeOf: async (key) => (await unwatched?.stat(key))?.size,
        log,
      });
      meters?.watchCollection(figures);
      return figures;
    },
    metrics: meters?.metrics,
    async close() {
      await meters?.close();
      await tracing?.close();
    },
  };
}
