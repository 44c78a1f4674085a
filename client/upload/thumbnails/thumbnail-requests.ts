import type { ThumbnailAnswer, ThumbnailQuestion } from './thumbnails.ts';

/** The subset of Worker in use. */
export interface ThumbnailWorker extends EventTarget {
  postMessage(question: ThumbnailQuestion): void;
  terminate(): void;
}

/** Returns a function that requests thumbnails from a worker, started on first use; null for files without one. */
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
    // A worker that has answered before ran out of memory: the next request starts another. One that never answered failed to
    // load, and would fail again. Either way, unanswered requests get no thumbnail.
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
