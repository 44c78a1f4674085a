/** The upload as a store outside the components: it continues while another screen is open, and keeps its list. */
import { createListActions } from './list/list-actions.ts';
import { isRetriable } from './list/pending.ts';
import { speedOf } from './send/progress.ts';
import { createUploadJob, IN_GROUPS, type JobParts, ONE_BY_ONE } from './send/upload-job.ts';
import { createUploadStore } from './upload-store.ts';

export type Uploader = ReturnType<typeof createUploader>;

/** @param deleteUpload deletes the server's part of a resumable upload; not awaited */
export function createUploader(parts: JobParts, deleteUpload: (url: string) => void) {
  const store = createUploadStore(parts.now);
  const { get, set, idsWhere } = store;
  const retriable = (): number[] =>
    get()
      .files.filter(isRetriable)
      .map(({ id }) => id);
  const job = createUploadJob(store, parts);
  const { enqueue } = job;
  const list = createListActions(store, { deleteUpload, send: (ids) => enqueue(ids, IN_GROUPS) });

  return {
    getState: get,
    subscribe: store.subscribe,
    onEvent: store.onEvent,
    /** Adds files. Many files are added in batches, which keeps the page responsive. */
    add: list.add,
    /** Restores the files of an earlier visit. Returns their ids, undefined for files already listed. */
    restore: list.restore,
    /** @returns a function that undoes the removal; undefined if nothing was removed */
    remove(id: number): (() => void) | undefined {
      const removed = list.remove(id);
      if (removed?.item.status === 'waiting') job.endEmpty();
      return removed?.undo;
    },
    /** Empties the list, except for files being sent. @returns the number of files removed, and a function that undoes it */
    clear: list.clear,
    /**
     * Sends all files listed or being added that may succeed, in as few requests as the line allows. Returns false if there are
     * none.
     */
    start(): boolean {
      const ids = get()
        .files.filter((item) => item.status === 'pending' || isRetriable(item))
        .map(({ id }) => id);
      list.sendAdded();
      if (get().job === null) enqueue(ids, IN_GROUPS);
      return ids.length > 0;
    },
    /** Sends the files of an interrupted upload, as part of the current job if there is one. */
    resumeInterrupted(ids: readonly number[]): void {
      const wanted = new Set(ids);
      enqueue(
        idsWhere('pending').filter((id) => wanted.has(id)),
        IN_GROUPS,
      );
    },
    /** Retries refused files that may succeed, each in a separate request, so that one bad file does not fail the others. */
    retry: (id: number): void =>
      enqueue(
        retriable().filter((one) => one === id),
        ONE_BY_ONE,
      ),
    retryAll: (): void => enqueue(retriable(), ONE_BY_ONE),
    cancel: job.cancel,
    pause: job.pause,
    resume: job.resume,
    closeSummary: (): void => set({ summaryOpen: false }),
    /** Cancels everything and empties the list, when its owner is gone. */
    reset(): void {
      list.forget();
      job.forget();
    },
    /** Bytes per second of the current job, or null. */
    speed: (): number | null => speedOf(get().job?.samples ?? []),
  };
}
