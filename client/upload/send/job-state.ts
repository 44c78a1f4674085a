/** Changes of an upload job in the store: how it starts, pauses, resumes and ends. */
import { applyChanges, type PendingList, setAll, withoutStored } from '../list/pending.ts';
import { emptyState, type UploadJob, type UploadStore } from '../upload-store.ts';
import { isWorthShowing, type Summary, summarize } from './summary.ts';
import { totalsOf } from './totals.ts';

const setWaiting = (files: PendingList, ids: readonly number[]): PendingList =>
  applyChanges(files, setAll(ids, { status: 'waiting', reason: undefined }));

/** Starts a job with listed files. @param at ms of a monotonic clock */
export function startJob(store: UploadStore, ids: readonly number[], at: number): void {
  store.set({
    ...emptyState,
    files: setWaiting(store.get().files, ids),
    job: { ids: new Set(ids), startedAt: at, samples: [{ at, bytes: 0 }], phase: { kind: 'sending' } },
  });
  store.emit({ kind: 'started', count: ids.length });
}

/** Adds listed files to the job. */
export function extendJob(store: UploadStore, job: UploadJob, ids: readonly number[]): void {
  store.set({ files: setWaiting(store.get().files, ids), job: { ...job, ids: new Set([...job.ids, ...ids]) } });
}

export function pauseJob(store: UploadStore, job: UploadJob): void {
  store.set({ job: { ...job, phase: { kind: 'paused' } } });
  store.emit({ kind: 'paused' });
}

/** Resumes the job, and measures its speed from here. @param at ms of a monotonic clock */
export function resumeJob(store: UploadStore, job: UploadJob, at: number): void {
  const { files, progress } = store.get();
  const samples = [{ at, bytes: totalsOf(files, job.ids, progress).bytesSent }];
  store.set({ job: { ...job, samples, phase: { kind: 'sending' } } });
  store.emit({ kind: 'resumed' });
}

/** Ends the job, if there is one. Files that are not stored stay listed. */
export function endJob(store: UploadStore, how: Pick<Summary, 'cancelled' | 'sessionOver'>): void {
  const { files, job } = store.get();
  if (job === null) return;
  const summary = summarize(
    files.filter((item) => job.ids.has(item.id)),
    how,
  );
  store.set({ ...emptyState, files: withoutStored(files), summary, summaryOpen: isWorthShowing(summary) });
  store.emit({ kind: 'ended', summary });
}

/** Empties the list, and ends the job without a summary. */
export function emptyList(store: UploadStore): void {
  const { job } = store.get();
  store.set(emptyState);
  if (job !== null) store.emit({ kind: 'ended', summary: summarize([], { cancelled: true, sessionOver: false }) });
}
