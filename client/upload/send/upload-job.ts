/** An upload job, from Upload or Retry until the last answer. It can be paused and cancelled. */
import { applyChanges, setAll, withoutStored } from '../list/pending.ts';
import type { UploadJob, UploadStore } from '../upload-store.ts';
import { anyOf } from './any-of.ts';
import type { Failure } from './environment.ts';
import { FIRST_LIMITS, ONE_FILE } from './groups.ts';
import { loadScript } from './load-script.ts';
import { isWorthShowing, summarize } from './summary.ts';
import { totalsOf } from './totals.ts';
import type { Plan, Sender } from './upload-loop.ts';

export const IN_GROUPS: Plan = { concurrency: 1, limits: FIRST_LIMITS };
export const ONE_BY_ONE: Plan = { concurrency: 3, limits: ONE_FILE };

export interface JobParts {
  /** ms of a monotonic clock */
  readonly now: () => number;
  /** Resolves once the response to a press is visible. */
  readonly painted: () => Promise<void>;
  readonly loadSender: () => Promise<Sender>;
}

export function createUploadJob(store: UploadStore, { now, painted, loadSender }: JobParts) {
  const { get, set, emit, change, idsWhere } = store;
  let cancelling = new AbortController();
  let pausing = new AbortController();
  let plan = IN_GROUPS;
  let sending: Promise<unknown> = Promise.resolve();

  const setPhase = (job: UploadJob, kind: 'sending' | 'paused'): void => set({ job: { ...job, phase: { kind } } });

  const isSendingAny = (): boolean => idsWhere('waiting', 'sending').length > 0;

  const end = (stopped: Failure | null): void => {
    const { files, job } = get();
    if (job === null) return;
    const mine = files.filter((item) => job.ids.has(item.id));
    const how = { cancelled: cancelling.signal.aborted, sessionOver: stopped?.session ?? false };
    const summary = summarize(mine, how);
    const summaryOpen = isWorthShowing(summary);
    set({ files: withoutStored(files), progress: new Map(), job: null, summary, summaryOpen });
    emit({ kind: 'ended', summary });
  };

  /** Refuses all waiting files, because the script for sending cannot be loaded. */
  const refuseAll = (error: Error, signal: AbortSignal): null => {
    if (!signal.aborted) change(setAll(idsWhere('waiting'), { status: 'refused', reason: error.message }));
    return null;
  };

  /** Sends the waiting files, after the requests from before a pause have finished. */
  const send = (): void => {
    const signals = { cancelled: cancelling.signal, paused: pausing.signal };
    const broken = anyOf(signals.cancelled, signals.paused);
    sending = sending
      // The first request costs hundreds of milliseconds: the response to Upload comes first.
      .then(painted)
      .then(() => loadScript(loadSender, () => store.setOffline(true), broken))
      .then(
        (sender) => {
          store.setOffline(false);
          return sender(store, plan, signals);
        },
        (error) => refuseAll(error, broken),
      )
      .then((stopped) => {
        const isCurrent = cancelling.signal === signals.cancelled;
        if (isCurrent && (!signals.paused.aborted || !isSendingAny())) end(stopped);
      });
  };

  /** Ends a job without files left to send; a paused or offline job does not end otherwise. */
  const endEmpty = (): void => {
    if (get().job === null || isSendingAny()) return;
    pausing.abort();
    void sending.then(() => isSendingAny() || end(null));
  };

  /** Sends listed files, as part of the current job or as a new job with the plan `wanted`. */
  const enqueue = (ids: readonly number[], wanted: Plan): void => {
    if (ids.length === 0) return;
    const { files: before, job } = get();
    if (job !== null && cancelling.signal.aborted) {
      // The job is ending: a new one follows.
      void sending.then(() =>
        enqueue(
          idsWhere('pending', 'refused').filter((id) => ids.includes(id)),
          wanted,
        ),
      );
      return;
    }
    const files = applyChanges(before, setAll(ids, { status: 'waiting', reason: undefined }));
    if (job !== null) {
      set({ files, job: { ...job, ids: new Set([...job.ids, ...ids]) } });
      if (!pausing.signal.aborted || job.phase.kind === 'paused') return;
      pausing = new AbortController();
      send();
      return;
    }
    cancelling = new AbortController();
    pausing = new AbortController();
    plan = wanted;
    const at = now();
    set({
      files,
      progress: new Map(),
      job: { ids: new Set(ids), startedAt: at, samples: [{ at, bytes: 0 }], phase: { kind: 'sending' } },
      summary: null,
      summaryOpen: false,
    });
    emit({ kind: 'started', count: ids.length });
    send();
  };

  return {
    enqueue,
    endEmpty,
    /** Cancels the upload; files that are not stored stay listed. */
    cancel(): void {
      if (get().job === null) return;
      cancelling.abort();
      change(setAll(idsWhere('sending', 'waiting'), { status: 'pending' }));
      endEmpty();
    },
    /** Pauses the upload. Resumable uploads stop at their offset; a form in flight finishes. */
    pause(): void {
      const { job } = get();
      if (job === null || job.phase.kind === 'paused') return;
      pausing.abort();
      setPhase(job, 'paused');
      emit({ kind: 'paused' });
    },
    resume(): void {
      const { files, progress, job } = get();
      if (job?.phase.kind !== 'paused') return;
      pausing = new AbortController();
      const samples = [{ at: now(), bytes: totalsOf(files, job.ids, progress).bytesSent }];
      setPhase({ ...job, samples }, 'sending');
      emit({ kind: 'resumed' });
      send();
    },
    /** Cancels the job and empties the list, when its owner is gone. */
    forget(): void {
      const { job } = get();
      cancelling.abort();
      set({ files: [], progress: new Map(), job: null, summary: null, summaryOpen: false });
      if (job !== null) emit({ kind: 'ended', summary: summarize([], { cancelled: true, sessionOver: false }) });
    },
  };
}
