/** The upload as a store outside the components: it goes on while another screen is open, and a list is never lost on the way. */
import { createListing, type ListingParts } from './listing.ts';
import { speedOf } from './progress.ts';
import { ALL_TOGETHER, createRunning, ONE_BY_ONE, type RunningParts } from './running.ts';
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
    /** Of many they come onto the list bit by bit, and nothing holds the page up. */
    add: listing.add,
    /** Puts back what was listed before the page was left. Returns the ids, undefined for one that is listed already. */
    restore: listing.restore,
    /** @returns what undoes it; undefined where there was nothing to remove */
    remove(id: number): (() => void) | undefined {
      const removed = listing.remove(id);
      if (removed?.item.status === 'waiting') running.endEmpty();
      return removed?.undo;
    },
    /** Empties the list, save for what is being sent. @returns what undoes it, and how many it took off */
    clear: listing.clear,
    /** Sends everything that is listed or about to be, in as few requests as the server takes. Returns false when nothing is there to send. */
    start(): boolean {
      const ids = idsWhere('pending', 'refused');
      listing.pressed();
      if (get().run === null) enqueue(ids, ALL_TOGETHER);
      return ids.length > 0;
    },
    /** Sends what was being sent when the page was left; where others are being sent, with those. */
    goOn(ids: readonly number[]): void {
      const wanted = new Set(ids);
      enqueue(
        idsWhere('pending').filter((id) => wanted.has(id)),
        ALL_TOGETHER,
      );
    },
    /** Sends refused files again, each in a request of its own, so that one bad file does not sink the others. */
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
    /** Forgets everything: the files were somebody's who has left. */
    reset(): void {
      listing.forget();
      running.forget();
    },
    /** Bytes a second of the present run, or null. */
    speed(): number | null {
      const { run } = get();
      return run && speedOf(run.samples);
    },
  };
}
