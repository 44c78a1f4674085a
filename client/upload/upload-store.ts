/** The state of the upload, its changes and its subscribers. */
import { applyChanges, type Change, type Changes, type PendingList, type Status } from './list/pending.ts';
import {
  addSample,
  addSent,
  milestone,
  type Progress,
  type Sample,
  shiftSamples,
  stopMeasuring,
} from './send/progress.ts';
import type { Summary } from './send/summary.ts';
import { totalsOf } from './send/totals.ts';

/** What an upload job is doing. */
export type Phase =
  | { readonly kind: 'sending' }
  | { readonly kind: 'paused' }
  /** the connection is lost; the job reconnects */
  | { readonly kind: 'offline' }
  /** the server requested a wait; `until`: when the job continues */
  | { readonly kind: 'retry-after'; readonly until: number };

/** From Upload or Retry until the last answer. Times in ms of a monotonic clock. */
export interface UploadJob {
  readonly ids: ReadonlySet<number>;
  readonly startedAt: number;
  readonly samples: readonly Sample[];
  readonly phase: Phase;
}

export interface UploadState {
  /** Replaced only if a file is added, removed or changes its status, key or URL. Progress does not replace it. */
  readonly files: PendingList;
  readonly progress: Progress;
  /** null while nothing is being sent */
  readonly job: UploadJob | null;
  /** the result of the last job; null before the first, and during a job */
  readonly summary: Summary | null;
  readonly summaryOpen: boolean;
}

export type UploadEvent =
  | { readonly kind: 'added'; readonly count: number; readonly pending: number }
  | { readonly kind: 'removed'; readonly name: string; readonly pending: number }
  | { readonly kind: 'started'; readonly count: number }
  | { readonly kind: 'passed'; readonly percent: number }
  | { readonly kind: 'paused' | 'resumed' | 'offline' }
  | { readonly kind: 'retry-after'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }
  | { readonly kind: 'ended'; readonly summary: Summary };

export type UploadStore = ReturnType<typeof createUploadStore>;

/** What sending reads and reports. It changes files and the phase only by these. */
export type SendingStore = Pick<
  UploadStore,
  'get' | 'change' | 'setSent' | 'setOffset' | 'setOffline' | 'startWait' | 'endWait'
>;

/** The progress after files changed: only an unfinished resumable upload keeps what it has sent. */
function progressAfter({ files, progress }: UploadState, changes: Changes): Progress {
  const changed = [...changes].filter(([id, { status }]) => status !== undefined && progress.has(id));
  if (changed.length === 0) return progress;
  const resumable = new Set(files.filter(({ url }) => url !== undefined).map(({ id }) => id));
  const next = new Map(stopMeasuring(progress, changes.keys()));
  for (const [id, { status }] of changed) {
    const isUnfinished = status === 'waiting' || status === 'sending';
    if (!isUnfinished || !resumable.has(id)) next.delete(id);
  }
  return next;
}

export const emptyState: UploadState = { files: [], progress: new Map(), job: null, summary: null, summaryOpen: false };

/** The job with one more sample of its speed, and the share that it has just passed, if files are left. */
function measure({ files, progress }: UploadState, job: UploadJob, at: number) {
  const totals = totalsOf(files, job.ids, progress);
  const { bytes, bytesSent } = totals;
  const before = job.samples.at(-1)?.bytes ?? 0;
  return {
    job: { ...job, samples: addSample(job.samples, { at, bytes: bytesSent }) },
    passed: bytes === 0 || totals.filesSent === totals.files ? null : milestone(before / bytes, bytesSent / bytes),
  };
}

/** @param now ms of a monotonic clock */
export function createUploadStore(now: () => number) {
  let state = emptyState;
  const watchers = new Set<() => void>();
  const listeners = new Set<(event: UploadEvent) => void>();

  const set = (change: Partial<UploadState>): void => {
    state = { ...state, ...change };
    for (const watcher of watchers) watcher();
  };
  const emit = (event: UploadEvent): void => {
    for (const listener of listeners) listener(event);
  };

  /** Sets files and progress, measures the job's speed, and reports each quarter. */
  const advance = (change: Partial<UploadState>): void => {
    const next = { ...state, ...change };
    if (next.job === null) {
      set(change);
      return;
    }
    const { job, passed } = measure(next, next.job, now());
    set({ ...change, job });
    if (passed !== null) emit({ kind: 'passed', percent: passed });
  };

  return {
    get: (): UploadState => state,
    set,
    subscribe(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    emit,
    onEvent(listener: (event: UploadEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    idsWhere: (...statuses: Status[]): number[] =>
      state.files.filter((item) => statuses.includes(item.status)).map((item) => item.id),

    /** Changes many files at once. Reports each refusal. */
    change(changes: Changes): void {
      if (changes.size === 0) return;
      advance({ files: applyChanges(state.files, changes), progress: progressAfter(state, changes) });
      for (const { id, file, reason } of state.files)
        if (changes.get(id)?.status === 'refused') emit({ kind: 'refused', name: file.name, reason: reason ?? '' });
    },
    /** Records the bytes sent of some files, by id. */
    setSent: (sent: ReadonlyMap<number, number>): void => advance({ progress: addSent(state.progress, now(), sent) }),
    /** Records the bytes of a file that the server already has. They do not count as speed. */
    setOffset(id: number, offset: number): void {
      const { job, progress } = state;
      const found = offset - (progress.get(id)?.sent ?? 0);
      const next = new Map(progress).set(id, { sent: offset, samples: [] });
      if (job === null || found === 0) set({ progress: next });
      else set({ progress: next, job: { ...job, samples: shiftSamples(job.samples, found) } });
    },
    /** Records that the server requested a wait. */
    startWait(until: number): void {
      const { job } = state;
      if (job === null) return;
      if (job.phase.kind !== 'retry-after') emit({ kind: 'retry-after', seconds: Math.ceil((until - now()) / 1000) });
      set({ job: { ...job, phase: { kind: 'retry-after', until } } });
    },
    /** Ends the countdown, unless a later wait has replaced this one. */
    endWait(until: number): void {
      const { job } = state;
      if (job?.phase.kind === 'retry-after' && job.phase.until === until)
        set({ job: { ...job, phase: { kind: 'sending' } } });
    },
    /** Records whether the connection is lost. A paused job stays paused. */
    setOffline(isOffline: boolean): void {
      const { job, progress } = state;
      if (job === null || job.phase.kind === 'paused' || (job.phase.kind === 'offline') === isOffline) return;
      const phase: Phase = { kind: isOffline ? 'offline' : 'sending' };
      set({ job: { ...job, phase }, progress: stopMeasuring(progress) });
      if (isOffline) emit({ kind: 'offline' });
    },
  };
}

/** The changes of the files that are still being sent: a cancelled job has already changed the others. */
export function ofSending(files: PendingList, changes: Changes): Changes {
  const sending = new Map<number, Change>();
  for (const { id, status } of files) {
    const change = changes.get(id);
    if (change !== undefined && status === 'sending') sending.set(id, change);
  }
  return sending;
}
