import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import { cachedGauge } from '../cached-gauge.ts';
import type { Figures } from '../figures.ts';

export type CacheFigures = {
  hits: number;
  misses: number;
  entries: number;
  bytes: number;
  /** Whether notifications of all changes arrive; otherwise the cache is not used. */
  isLive: boolean;
};

export function cacheMeter(registry: Registry, figures: () => CacheFigures, max: number): void {
  const registers = [registry];
  const rising = (name: string, help: string, read: () => number) => {
    let counted = 0;
    new Counter({
      name,
      help,
      registers,
      collect() {
        const now = read();
        this.inc(now - counted);
        counted = now;
      },
    });
  };
  const standing = (name: string, help: string, read: () => number, aggregator: 'sum' | 'min' = 'sum') =>
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  rising('gallery_link_cache_hits_total', 'Rows and renditions that links found in memory.', () => figures().hits);
  rising('gallery_link_cache_misses_total', 'Rows and renditions that links had to look up.', () => figures().misses);
  standing('gallery_link_cache_bytes', 'Bytes in the link cache.', () => figures().bytes);
  standing('gallery_link_cache_entries', 'Rows and renditions in the link cache.', () => figures().entries);
  standing(
    'gallery_link_cache_current',
    '1 while the database notifies the process of every change (LISTEN); 0: links are not answered from memory.',
    () => (figures().isLive ? 1 : 0),
    // 0 if a single process misses notifications.
    'min',
  );
  standing('gallery_link_cache_max_bytes', 'Maximum bytes of the link cache (CACHE_SIZE).', () => max);
}

/** Every process reports the same shared value, so values are not summed. */
const shared = { aggregator: 'max' } as const;

export function figuresMeter(registry: Registry, figures: () => Promise<Figures | undefined>): void {
  const registers = [registry];
  const standing = (name: string, help: string, read: (figures: Figures) => number) =>
    new Gauge({
      name,
      help,
      registers,
      ...shared,
      async collect() {
        const now = await figures();
        if (now) this.set(read(now));
        else this.remove();
      },
    });
  standing('gallery_accounts', 'Accounts.', ({ accounts }) => accounts);
  standing('gallery_images', 'Images of all accounts.', ({ images }) => images);
  standing('gallery_uploads_open', 'Unfinished resumable uploads.', ({ uploads }) => uploads);
  standing(
    'gallery_renditions_due',
    'Images whose larger renditions are still to be made, 100000 at most.',
    ({ renditionsDue }) => renditionsDue,
  );
  standing(
    'gallery_audit_log_bytes',
    'Size of the audit log in the database, with its indexes.',
    ({ auditLogBytes }) => auditLogBytes,
  );
  new Gauge({
    name: 'gallery_jobs',
    help: 'Background jobs by state: created, retry (waits for the next attempt), active, failed (rests for a day).',
    labelNames: ['queue', 'state'],
    registers,
    ...shared,
    async collect() {
      const now = await figures();
      this.reset();
      for (const { queue, state, count } of now?.jobs ?? []) this.set({ queue, state }, count);
    },
  });
  new Gauge({
    name: 'gallery_stored_bytes',
    help: 'Bytes of the collection by kind; originals as the accounts count them, renditions estimated from a sample.',
    labelNames: ['kind'],
    registers,
    ...shared,
    async collect() {
      const now = await figures();
      this.reset();
      for (const [kind, bytes] of Object.entries(now?.bytes ?? {})) this.set({ kind }, bytes);
    },
  });
}

/** Milliseconds that a scrape waits for a file system. */
const timeout = 500;

/** The file system of DATA_DIR, which holds uploads in progress, and the pictures if there is no bucket. */
export function dataDirMeter(registry: Registry, dataDir: string): void {
  // A network file system may hang, so only one call runs at a time.
  const readFileSystem = cachedGauge(() => statfs(dataDir).catch(() => undefined), { ttl: 0 });
  const standing = (name: string, help: string, read: (found: StatsFs) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'min',
      async collect() {
        const found = await readFileSystem(timeout);
        if (found) this.set(read(found));
        else this.remove();
      },
    });
  const size = 'Bytes of the file system of DATA_DIR.';
  standing('gallery_data_dir_size_bytes', size, ({ blocks, bsize }) => blocks * bsize);
  standing(
    'gallery_data_dir_free_bytes',
    'Of these, what the server may still write.',
    ({ bavail, bsize }) => bavail * bsize,
  );
}

/** @param wanted WORKERS */
export function workersMeter(registry: Registry, wanted: number): void {
  const registers = [registry];
  new Gauge({ name: 'gallery_workers', help: 'Processes that serve, and answered this scrape.', registers }).set(1);
  new Gauge({
    name: 'gallery_workers_wanted',
    help: 'Processes that should serve (WORKERS).',
    registers,
    ...shared,
  }).set(wanted);
}

export function buildMeter(registry: Registry, version: string): void {
  new Gauge({
    name: 'gallery_build_info',
    help: 'Always 1; which version of the program runs, on which Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'first',
  }).set({ version, node: process.version }, 1);
}
