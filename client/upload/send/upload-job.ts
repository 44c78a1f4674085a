/** A run of the upload, from Upload or Retry until the last answer. It can be paused and cancelled. */

import { applyChanges, type Change, setAll, withoutStored } from '../list/pending.ts';
import type { UploadStore } from '../upload-store.ts';
import type { Failure, Plan, RunHost } from './environment.ts';
import { MAX_BYTES_A_REQUEST, MAX_FILES_A_REQUEST } from './groups.ts';
import { addSample, milestone } from './progress.ts';
import { receiptOf } from './receipt.ts';
import { createSpeeds } from './speeds.ts';
import { endingOf } from './summary.ts';
import { totalsOf } from './totals.ts';
import { sendWaiting } from './upload-loop.ts';

export interface RunningParts extends Omit<RunHost, 'plan' | 'files' | 'change' | 'lose' | 'hold'> {
  readonly now: () => number;
}

export const ALL_TOGETHER: Plan = { concurrency: 1, maxFiles: MAX_FILES_A_REQUEST, maxBytes: MAX_BYTES_A_REQUEST };
export const ONE_BY_ONE: Plan = { concurrency: 3, maxFiles: 1, maxBytes: MAX_BYTES_A_REQUEST };

export function createRunning(store: UploadStore, parts: RunningParts) {
  const { get, set, emit, idsWhere } = store;
  let controller = new AbortController();
  let pausing = new AbortController();
  let plan = ALL_TOGETHER;
  const speeds = createSpeeds();
  let sending: Promise<unknown> = Promise.resolve();

  const change = (told: ReadonlyMap<number, Change>): void => {
    const changes = speeds.add(parts.now(), told);
    const { files: were, run } = get();
    const files = applyChanges(were, changes);
    if (run === null) {
      set({ files });
      return;
    }
    const before = totalsOf(were, run);
    const after = totalsOf(files, run);
    const samples = addSample(run.samples, { at: parts.now(), bytes: after.bytesSent });
    set({ files, run: { ...run, samples } });
    const mark = after.bytes === 0 ? null : milestone(before.bytesSent / after.bytes, after.bytesSent / after.bytes);
    if (mark !== null && after.filesSent < after.files) emit({ kind: 'passed', percent: mark });
    for (const [id, { status, reason }] of changes) {
      const item = files.find((one) => one.id === id);
      if (item && status === 'refused') emit({ kind: 'refused', name: item.file.name, reason: reason ?? '' });
    }
  };

  const hold = async (ms: number, signal: AbortSignal): Promise<void> => {
    const { run } = get();
    if (run === null || signal.aborted) return;
    const until = parts.now() + ms;
    if (run.heldUntil === undefined) emit({ kind: 'held', seconds: Math.ceil(ms / 1000) });
    set({ run: { ...run, heldUntil: until } });
    await parts.wait(ms, signal);
    // If several requests wait, the latest one ends the countdown.
    const after = get().run;
    if (after?.heldUntil === until) set({ run: { ...after, heldUntil: undefined } });
  };

  const lose = (lost: boolean): void => {
    const { files: were, run } = get();
    if (run === null || !run.lost === !lost) return;
    speeds.forget();
    const moving = were.filter((item) => item.speed !== undefined).map((item) => item.id);
    set({ files: applyChanges(were, setAll(moving, { speed: undefined })), run: { ...run, lost } });
    if (lost) emit({ kind: 'lost' });
  };

  const end = (stopped: Failure | null): void => {
    const { files, run } = get();
    if (run === null) return;
    const mine = files.filter((item) => run.ids.has(item.id));
    const cancelled = controller.signal.aborted;
    set({ files: withoutStored(files), run: null, receipt: receiptOf(mine, cancelled) });
    emit({ kind: 'ended', ...endingOf(mine, { cancelled, session: stopped?.session ?? false }) });
  };

  const isSendingAny = (): boolean => idsWhere('waiting', 'sending').length > 0;

  /** Sends the waiting files, after the requests from before a pause have finished. */
  const go = (): void => {
    const [mine, pause] = [controller, pausing];
    const host: RunHost = { ...parts, plan, files: () => get().files, change, lose, hold };
    sending = sending
      .then(() => sendWaiting(host, { cancelled: mine.signal, paused: pause.signal }))
      .then((stopped) => {
        if (controller === mine && (!pause.signal.aborted || !isSendingAny())) end(stopped);
      });
  };

  /** Ends a run without files left to send; a paused or offline run does not end otherwise. */
  const endEmpty = (): void => {
    if (get().run === null || isSendingAny()) return;
    pausing.abort();
    void sending.then(() => isSendingAny() || end(null));
  };

  return {
    /** Sends listed files, as part of the current run or as a new run with the plan `wanted`. */
    enqueue(ids: readonly number[], wanted: Plan): void {
      if (ids.length === 0) return;
      const { files: were, run } = get();
      const files = applyChanges(were, setAll(ids, { status: 'waiting', sent: 0, reason: undefined }));
      if (run !== null) {
        set({ files, run: { ...run, ids: new Set([...run.ids, ...ids]) } });
        if (!pausing.signal.aborted || run.paused) return;
        pausing = new AbortController();
        go();
        return;
      }
      controller = new AbortController();
      pausing = new AbortController();
      plan = wanted;
      const at = parts.now();
      set({ files, run: { ids: new Set(ids), startedAt: at, samples: [{ at, bytes: 0 }] }, receipt: null });
      emit({ kind: 'started', count: ids.length });
      go();
    },
    endEmpty,
    /** Cancels the upload; files that are not stored stay listed. */
    cancel(): void {
      if (get().run === null) return;
      controller.abort();
      change(setAll(idsWhere('sending', 'waiting'), { status: 'pending', sent: 0 }));
      endEmpty();
    },
    /** Pauses the upload. Resumable uploads stop at their offset; a form in flight finishes. */
    pause(): void {
      const { run } = get();
      if (run === null || run.paused) return;
      pausing.abort();
      set({ run: { ...run, paused: true, lost: false } });
      emit({ kind: 'paused' });
    },
    resume(): void {
      const { files, run } = get();
      if (!run?.paused) return;
      pausing = new AbortController();
      const samples = [{ at: parts.now(), bytes: totalsOf(files, run).bytesSent }];
      set({ run: { ...run, paused: false, samples } });
      emit({ kind: 'resumed' });
      go();
    },
    /** Cancels the run and empties the list, when its owner is gone. */
    forget(): void {
      const running = get().run !== null;
      controller.abort();
      set({ files: [], run: null, receipt: null });
      if (running) emit({ kind: 'ended', ...endingOf([], { cancelled: true, session: false }) });
    },
  };
}
