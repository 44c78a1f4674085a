/** The upload as a store outside the components: it continues while another screen is open, and keeps its list. */
import { createListing, type ListingParts } from './list/list-actions.ts';
import { speedOf } from './send/progress.ts';
import { ALL_TOGETHER, createRunning, ONE_BY_ONE, type RunningParts } from './send/upload-job.ts';
import { createUploadStore } from './upload-store.ts';

export type Uploader = ReturnType<typeof createUploader>;

export function createUploader(parts: RunningParts & ListingParts) {
  const store = createUploadStore();
  const { get, set, idsWhere } = store;
  const running = createRunning(store, parts);
  const { enqueue } = running;
  const listing = createListing(store, parts, (ids) => enqueue(ids, ALL_TOGETHER));

  return {
    getState: get,
    subscribe: store.subscribe,
    onEvent: store.onEvent,
    /** Adds files. Many files are added in batches, which keeps the page responsive. */
    add: listing.add,
    /** Restores the files of an earlier visit. Returns their ids, undefined for files already listed. */
    restore: listing.restore,
    /** @returns a function that undoes the removal; undefined if nothing was removed */
    remove(id: number): (() => void) | undefined {
      const removed = listing.remove(id);
      if (removed?.item.status === 'waiting') running.endEmpty();
      return removed?.undo;
    },
    /** Empties the list, except for files being sent. @returns the number of files removed, and a function that undoes it */
    clear: listing.clear,
    /** Sends all files listed or being added, in as few requests as the server accepts. Returns false if there are none. */
    start(): boolean {
      const ids = idsWhere('pending', 'refused');
      listing.pressed();
      if (get().run === null) enqueue(ids, ALL_TOGETHER);
      return ids.length > 0;
    },
    /** Sends the files of an interrupted upload, as part of the current run if there is one. */
    goOn(ids: readonly number[]): void {
      const wanted = new Set(ids);
      enqueue(
        idsWhere('pending').filter((id) => wanted.has(id)),
        ALL_TOGETHER,
      );
    },
    /** Retries refused files, each in a separate request, so that one bad file does not fail the others. */
    retry: (id: number): void =>
      enqueue(
        idsWhere('refused').filter((one) => one === id),
        ONE_BY_ONE,
      ),
    retryAll: (): void => enqueue(idsWhere('refused'), ONE_BY_ONE),
    cancel: running.cancel,
    pause: running.pause,
    resume: running.resume,
    putAwayReceipt: (): void => set({ receipt: null }),
    /** Cancels everything and empties the list, when its owner is gone. */
    reset(): void {
      listing.forget();
      running.forget();
    },
    /** Bytes per second of the current run, or null. */
    speed(): number | null {
      const { run } = get();
      return run && speedOf(run.samples);
    },
  };
}
