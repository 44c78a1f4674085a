/** Instruments the ingest of an upload by stages. */
import type { DecodeFailure } from '../decoder/pool/pool.ts';
import type { IngestParts } from '../ingest/ingest.ts';
import type { Instrument, Stage } from './spans.ts';

type WatchIngest = {
  instrument: Instrument;
  onStored: (images: number) => void;
  onRefused: (code: DecodeFailure['code']) => void;
};

export function watchIngest(parts: IngestParts, { instrument, onStored, onRefused }: WatchIngest): IngestParts {
  const { storage, deduplication, insertImages } = parts;
  const staged = <T>(stage: Stage, work: () => Promise<T>) => instrument({ kind: 'ingest', stage }, work);
  return {
    ...parts,
    storage: {
      ...storage,
      stage: (source) => staged('receive', () => storage.stage(source)),
      commit: (file, key) => staged('keep', () => storage.commit(file, key)),
      write: (key, bytes) => staged('keep', () => storage.write(key, bytes)),
    },
    deduplication: {
      ...deduplication,
      async find(sender, file) {
        const outcome = await staged('judge', () => deduplication.find(sender, file));
        if (!outcome.ok) onRefused(outcome.failure.code);
        return outcome;
      },
    },
    async insertImages(...args) {
      const inserted = await staged('insert', () => insertImages(...args));
      onStored(inserted.stored.length);
      return inserted;
    },
  };
}
