/** Instruments the calls of a storage. */
import type { OpenFile } from '../storage/object-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { Instrument } from './spans.ts';

type WatchStorage = {
  instrument: Instrument;
  /** Called after bytes are stored permanently. */
  onWritten: (collection: string, bytes: number) => void;
};

const collectionOf = (key: string) => key.slice(0, Math.max(key.indexOf('/'), 0)) || 'other';

// biome-ignore lint/suspicious/noExplicitAny: only the promise of a method is known here
type Method = (...args: any[]) => Promise<unknown>;

/** Instruments the named methods. */
function watchEach<T extends object>(
  parts: T,
  names: readonly (keyof T & string)[],
  collection: string,
  instrument: Instrument,
): T {
  const instrumented = names.map((name) => {
    const method = parts[name] as Method;
    return [
      name,
      (...args: unknown[]) => instrument({ kind: 'storage', operation: name, collection }, () => method(...args)),
    ];
  });
  return { ...parts, ...Object.fromEntries(instrumented) };
}

export function watchStorage(storage: Storage, { instrument, onWritten }: WatchStorage): Storage {
  const timed = <T>(operation: string, key: string, work: () => Promise<T>) =>
    instrument({ kind: 'storage', operation, collection: collectionOf(key) }, work);

  /** Instruments later reads of an open file. */
  function watchFile(file: OpenFile, key: string): OpenFile {
    const read: OpenFile['read'] = (into, at) => timed('read-open', key, () => file.read(into, at));
    const { lease } = file;
    return { ...file, read, ...(lease && { lease: (at: number) => timed('read-open', key, () => lease(at)) }) };
  }

  return {
    ...storage,
    stage: (source) =>
      instrument({ kind: 'storage', operation: 'stage', collection: 'staging' }, () => storage.stage(source)),
    async commit(staged, key) {
      await timed('keep', key, () => storage.commit(staged, key));
      onWritten(collectionOf(key), staged.size);
    },
    async write(key, bytes) {
      await timed('write', key, () => storage.write(key, bytes));
      onWritten(collectionOf(key), bytes.length);
    },
    read: (key, range, sealed) => timed('read', key, () => storage.read(key, range, sealed)),
    async open(key, part, sealed) {
      const file = await timed('open', key, () => storage.open(key, part, sealed));
      return file && watchFile(file, key);
    },
    stat: (key, sealed) => timed('stat', key, () => storage.stat(key, sealed)),
    remove: (key) => timed('remove', key, () => storage.remove(key)),
    partials: watchEach(storage.partials, ['open', 'isThere', 'read', 'remove'], 'partials', instrument),
  };
}
