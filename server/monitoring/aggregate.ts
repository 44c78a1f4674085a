/** Counts of a worker that ended or does not answer stay in the sums: Prometheus takes a falling counter for a reset. */
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, Registry } from 'prom-client';
import { waitFor } from './cached-gauge.ts';
import type { Metrics } from './metrics-server.ts';

const question = 'metrics';

/** The result of `getMetricsAsJSON`, serialized between processes. */
type Families = { type: string }[];

type Known = {
  /** The last report. */
  families: Families;
  /** Pending until the worker reports. */
  pending: Promise<void> | undefined;
  settle: () => void;
};

/** Milliseconds that a scrape waits for workers, and that a stopping worker waits for its last report. */
const timeout = 2_000;

const counted = (families: Families) => families.filter(({ type }) => type === 'counter' || type === 'histogram');

const sum = (all: Families[]) => AggregatorRegistry.aggregate(all);

/** Runs in the primary, before it starts a worker. */
export function aggregateMetrics(): Metrics {
  /** Workers that serve; a starting one would not answer. */
  const serving = new Map<Worker, Known>();
  let ofEnded: Families = [];

  /** One pending question for each worker, so that they do not pile up when it hangs. */
  function ask(worker: Worker, known: Known): Promise<void> {
    known.pending ??= new Promise((resolve) => {
      known.settle = () => {
        known.pending = undefined;
        resolve();
      };
      // If this fails, the disconnect of the worker settles the question.
      worker.send(question, () => undefined);
    });
    return known.pending;
  }

  cluster.on('listening', (worker) => {
    if (!serving.has(worker)) serving.set(worker, { families: [], pending: undefined, settle: () => undefined });
  });
  cluster.on('message', (worker, message: string | { metrics?: Families }) => {
    const known = serving.get(worker);
    if (!known || typeof message !== 'object' || !message.metrics) return;
    known.families = message.metrics;
    known.settle();
  });
  // Not on 'exit', because messages may still arrive after it.
  cluster.on('disconnect', (worker) => {
    const known = serving.get(worker);
    if (!known) return;
    serving.delete(worker);
    ofEnded = sum([ofEnded, counted(known.families)]).getMetricsAsArray() as unknown as Families;
    known.settle();
  });

  return async () => {
    const answered = new Set<Worker>();
    const answers = [...serving].map(([worker, known]) => ask(worker, known).then(() => answered.add(worker)));
    await waitFor(Promise.all(answers), timeout);
    const known = [...serving];
    if (!known.some(([worker]) => answered.has(worker))) throw new Error('no worker answers');
    const reports = known.map(([worker, { families }]) => (answered.has(worker) ? families : counted(families)));
    return { type: Registry.PROMETHEUS_CONTENT_TYPE, text: await sum([ofEnded, ...reports]).metrics() };
  };
}

/** Runs in a worker: reports to the primary on request. @returns sends a report now, for the stop */
export function reportToPrimary(registry: Registry): () => Promise<void> {
  async function report(): Promise<void> {
    try {
      const metrics = await registry.getMetricsAsJSON();
      await new Promise((resolve) => process.send?.({ metrics }, undefined, undefined, resolve));
    } catch {
      // The worker is missing in gallery_workers but still serves.
    }
  }
  process.on('message', (message) => {
    if (message === question) void report();
  });
  return () => waitFor(report(), timeout);
}
