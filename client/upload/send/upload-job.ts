/** An upload job, from Upload or Retry until the last answer. It can be paused and cancelled. */
import { setAll } from '../list/pending.ts';
import type { UploadStore } from '../upload-store.ts';
import { anyOf } from './any-of.ts';
import type { Failure } from './environment.ts';
import { FIRST_LIMITS, ONE_FILE } from './groups.ts';
import { emptyList, endJob, extendJob, pauseJob, resumeJob, startJob } from './job-state.ts';
import { loadScript } from './load-script.ts';
import type { Plan, Sender, Signals } from './upload-loop.ts';

export const IN_GROUPS: Plan = { concurrency: 1, limits: FIRST_LIMITS };
export const ONE_BY_ONE: Plan = { concurrency: 3, limits: ONE_FILE };

export interface JobParts {
  /** ms of a monotonic clock */
  readonly now: () => number;
  /** Resolves once the response to a press is visible. */
  readonly painted: () => Promise<void>;
  readonly loadSender: () => Promise<Sender>;
}

/** Loads the script for sending, and sends the waiting files. Resolves with the failure that stopped it, or null. */
function sendAll(store: UploadStore, parts: JobParts, plan: Plan, signals: Signals): Promise<Failure | null> {
  const broken = anyOf(signals.cancelled, signals.paused);
  // The first request costs hundreds of milliseconds: the response to Upload comes first.
  return parts
    .painted()
    .then(() => loadScript(parts.loadSender, () => store.setOffline(true), broken))
    .then(
      (sender) => {
        store.setOffline(false);
        return sender(store, plan, signals);
      },
      (error) => {
        // Without the script, nothing can be sent.
        if (!broken.aborted)
          store.change(setAll(store.idsWhere('waiting'), { status: 'refused', reason: error.message }));
        return null;
      },
    );
}

/** Sends waiting files, after the requests from before a pause have finished. */
function createSending(store: UploadStore, parts: JobParts) {
  let sending: Promise<unknown> = Promise.resolve();
  const after = (work: () => unknown): void => void sending.then(work);
  const send = (plan: Plan, signals: Signals, onEnd: (stopped: Failure | null) => void): void => {
    sending = sending.then(() => sendAll(store, parts, plan, signals)).then(onEnd);
  };
  return { after, send };
}

const stillListed = ({ idsWhere }: UploadStore, ids: readonly number[]): number[] =>
  idsWhere('pending', 'refused').filter((id) => ids.includes(id));

export function createUploadJob(store: UploadStore, parts: JobParts) {
  const { get, change, idsWhere } = store;
  let cancelling = new AbortController();
  let pausing = new AbortController();
  let plan = IN_GROUPS;
  const sending = createSending(store, parts);

  const isSendingAny = (): boolean => idsWhere('waiting', 'sending').length > 0;
  const end = (stopped: Failure | null): void =>
    endJob(store, { cancelled: cancelling.signal.aborted, sessionOver: stopped?.session ?? false });

  const send = (): void => {
    const signals = { cancelled: cancelling.signal, paused: pausing.signal };
    sending.send(plan, signals, (stopped) => {
      const isCurrent = cancelling.signal === signals.cancelled;
      if (isCurrent && (!signals.paused.aborted || !isSendingAny())) end(stopped);
    });
  };

  /** Ends a job without files left to send; a paused or offline job does not end otherwise. */
  const endEmpty = (): void => {
    if (get().job === null || isSendingAny()) return;
    pausing.abort();
    sending.after(() => isSendingAny() || end(null));
  };

  /** Sends listed files, as part of the current job or as a new job with the plan `wanted`. */
  const enqueue = (ids: readonly number[], wanted: Plan): void => {
    if (ids.length === 0) return;
    const { job } = get();
    if (job !== null && cancelling.signal.aborted) {
      // The job is ending: a new one follows.
      sending.after(() => enqueue(stillListed(store, ids), wanted));
      return;
    }
    if (job === null) {
      cancelling = new AbortController();
      pausing = new AbortController();
      plan = wanted;
      startJob(store, ids, parts.now());
      send();
      return;
    }
    extendJob(store, job, ids);
    if (!pausing.signal.aborted || job.phase.kind === 'paused') return;
    pausing = new AbortController();
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
      pauseJob(store, job);
    },
    resume(): void {
      const { job } = get();
      if (job?.phase.kind !== 'paused') return;
      pausing = new AbortController();
      resumeJob(store, job, parts.now());
      send();
    },
    /** Cancels the job and empties the list, when its owner is gone. */
    forget(): void {
      cancelling.abort();
      emptyList(store);
    },
  };
}
