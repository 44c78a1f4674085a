/**
 * With WORKERS=n the primary answers for all of them: counts summed up, and what all share told once. What one has counted
 * stays in the sums when it ends, or does not answer: a sum that falls is taken for a new beginning at 0.
 */
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, Registry } from 'prom-client';
import { waitFor } from './cached-gauge.ts';
import type { Metrics } from './metrics-server.ts';

const question = 'metrics';

/** As `getMetricsAsJSON` gives them, and the channel between the processes leaves them. */
type Families = { type: string }[];

type Known = {
  /** What it has told last. */
  families: Families;
  /** From a question to its answer. */
  asked: Promise<void> | undefined;
  settle: () => void;
};

/** Milliseconds that a scrape waits for the workers, and the end of a worker for the primary. */
const patience = 2_000;

const counted = (families: Families) => families.filter(({ type }) => type === 'counter' || type === 'histogram');

/** Each family as its `aggregator` says. */
const sum = (all: Families[]) => AggregatorRegistry.aggregate(all);

/** In the primary, before it starts a worker. */
export function aggregateMetrics(): Metrics {
  /** Those that serve: one that is starting would not answer yet. */
  const serving = new Map<Worker, Known>();
  let ofEnded: Families = [];

  /** One question at a time, so that they do not pile up before a worker that hangs. */
  function ask(worker: Worker, known: Known): Promise<void> {
    known.asked ??= new Promise((resolve) => {
      known.settle = () => {
        known.asked = undefined;
        resolve();
      };
      // What cannot be sent any more is answered by the end of the worker.
      worker.send(question, () => undefined);
    });
    return known.asked;
  }

  cluster.on('listening', (worker) => {
    if (!serving.has(worker)) serving.set(worker, { families: [], asked: undefined, settle: () => undefined });
  });
  cluster.on('message', (worker, message: string | { metrics?: Families }) => {
    const known = serving.get(worker);
    if (!known || typeof message !== 'object' || !message.metrics) return;
    known.families = message.metrics;
    known.settle();
  });
  // Not at its exit, after which its last words may still come.
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
    await waitFor(Promise.all(answers), patience);
    const known = [...serving];
    if (!known.some(([worker]) => answered.has(worker))) throw new Error('no worker answers');
    const told = known.map(([worker, { families }]) => (answered.has(worker) ? families : counted(families)));
    return { type: Registry.PROMETHEUS_CONTENT_TYPE, text: await sum([ofEnded, ...told]).metrics() };
  };
}

/** In a worker: answers the primary. @returns tells it unasked, as at the end */
export function tellPrimary(registry: Registry): () => Promise<void> {
  async function tell(): Promise<void> {
    try {
      const metrics = await registry.getMetricsAsJSON();
      await new Promise((resolve) => process.send?.({ metrics }, undefined, undefined, resolve));
    } catch {
      // Who does not answer is missing in gallery_workers, and serves all the same.
    }
  }
  process.on('message', (word) => {
    if (word === question) void tell();
  });
  return () => waitFor(tell(), patience);
}
