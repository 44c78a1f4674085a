import type { ThumbnailAnswer, ThumbnailQuestion } from './thumbnails.ts';

/** What is needed of a Worker. */
export interface ThumbnailWorker extends EventTarget {
  postMessage(question: ThumbnailQuestion): void;
  terminate(): void;
}

/** Asks a worker, which the first question starts, for small pictures: null for what it cannot make. */
export function createAsker(start: () => ThumbnailWorker): (file: File) => Promise<Blob | null> {
  let worker: ThumbnailWorker | null = null;
  let isUsable = true;
  let lastId = 0;
  const asked = new Map<number, (picture: Blob | null) => void>();

  const started = (): ThumbnailWorker => {
    const begun = start();
    let hasAnswered = false;
    begun.addEventListener('message', (event) => {
      const { id, picture } = (event as MessageEvent<ThumbnailAnswer>).data;
      hasAnswered = true;
      asked.get(id)?.(picture);
      asked.delete(id);
    });
    // No previews rather than none of the rest. It ran out of memory: the next question starts another. Or it did not
    // load, and would not do so the next time.
    begun.addEventListener('error', () => {
      begun.terminate();
      worker = null;
      isUsable = hasAnswered;
      for (const resolve of asked.values()) resolve(null);
      asked.clear();
    });
    return begun;
  };

  return async (file) => {
    if (!isUsable) return null;
    worker ??= started();
    const target = worker;
    return new Promise((resolve) => {
      lastId += 1;
      asked.set(lastId, resolve);
      target.postMessage({ id: lastId, file });
    });
  };
}
