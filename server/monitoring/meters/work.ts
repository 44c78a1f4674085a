import { Counter, Histogram, type Registry } from 'prom-client';
import type { DecodeFailure } from '../../decoder/pool/pool.ts';
import type { Instrument, Step } from '../spans.ts';

type WorkMeter = {
  instrument: Instrument;
  onWritten: (collection: string, bytes: number) => void;
  onStored: (images: number) => void;
  onRefused: (code: DecodeFailure['code']) => void;
};

export function workMeter(registry: Registry): WorkMeter {
  const registers = [registry];
  const stages = new Histogram({
    name: 'gallery_ingest_stage_duration_seconds',
    help: 'Stages of storing an upload: receive (until staged), judge (decode with its wait), decode, keep, insert (the rows).',
    labelNames: ['stage'],
    buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const failedStages = new Counter({
    name: 'gallery_ingest_stage_failures_total',
    help: 'Stages that the server failed or the client aborted.',
    labelNames: ['stage'],
    registers,
  });
  const calls = new Histogram({
    name: 'gallery_storage_operation_duration_seconds',
    help: 'Calls of the storage, by operation and first part of the key.',
    labelNames: ['operation', 'collection'],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 1, 2.5, 10],
    registers,
  });
  const failedCalls = new Counter({
    name: 'gallery_storage_failures_total',
    help: 'Calls of the storage that failed.',
    labelNames: ['operation', 'collection'],
    registers,
  });
  const written = new Counter({
    name: 'gallery_storage_written_bytes_total',
    help: 'Bytes written permanently to the storage, before sealing.',
    labelNames: ['collection'],
    registers,
  });
  const stored = new Counter({
    name: 'gallery_images_stored_total',
    help: 'Images that uploads have stored.',
    registers,
  });
  const refused = new Counter({
    name: 'gallery_images_refused_total',
    help: 'Uploaded files refused because of their content, by code.',
    labelNames: ['code'],
    registers,
  });

  function done(step: Step, seconds: number, failed: boolean): void {
    if (step.kind === 'ingest') {
      const { stage } = step;
      stages.observe({ stage }, seconds);
      if (failed) failedStages.inc({ stage });
      return;
    }
    const { operation, collection } = step;
    calls.observe({ operation, collection }, seconds);
    if (failed) failedCalls.inc({ operation, collection });
  }

  return {
    async instrument(step, work) {
      const began = performance.now();
      const seconds = () => (performance.now() - began) / 1000;
      try {
        const result = await work();
        done(step, seconds(), false);
        return result;
      } catch (error) {
        done(step, seconds(), true);
        throw error;
      }
    },
    onWritten: (collection, bytes) => written.inc({ collection }, bytes),
    onStored: (images) => stored.inc(images),
    onRefused: (code) => refused.inc({ code }),
  };
}
