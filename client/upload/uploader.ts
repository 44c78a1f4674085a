/** The upload as a store outside the components: it goes on while another screen is open, and a list is never lost on the way. */
import { MAX_BYTES_A_REQUEST, MAX_FILES_A_REQUEST } from './batches.ts';
import { readBitByBit } from './known.ts';
import {
  addFiles,
  applyChanges,
  type Change,
  type KeptFile,
  type PendingList,
  putBack,
  removeFile,
  restoreFiles,
  setAll,
  withoutStored,
} from './pending.ts';
import { addSample, milestone, speedOf } from './progress.ts';
import { type Receipt, receiptOf } from './receipt.ts';
import { type Failure, type Plan, type RunHost, sendWaiting } from './run.ts';
import { createSpeeds } from './speeds.ts';
import { type Run, totalsOf } from './totals.ts';

export interface UploadState {
  readonly files: PendingList;
  /** null while nothing is being sent */
  readonly run: Run | null;
  /** what became of the files of the last run, until it is put away */
  readonly receipt: Receipt | null;
}

/** How many of the stored images tell where they were taken, by what their links do with it. */
export interface Locations {
  readonly removed: number;
  readonly kept: number;
  readonly withheld: number;
}

/** How a run ended. `reason` is the first refusal's, for the second line of a toast. */
export interface Ending {
  readonly stored: number;
  /** of the stored: those that the account had already */
  readonly there: number;
  readonly refused: number;
  readonly cancelled: boolean;
  readonly session: boolean;
  readonly reason: string | null;
  readonly locations: Locations;
}

export type UploadEvent =
  | { readonly kind: 'added'; readonly count: number; readonly pending: number }
  | { readonly kind: 'removed'; readonly name: string; readonly pending: number }
  | { readonly kind: 'started'; readonly count: number }
  | { readonly kind: 'passed'; readonly percent: number }
  | { readonly kind: 'paused' | 'resumed' }
  | { readonly kind: 'held'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }
  | ({ readonly kind: 'ended' } & Ending);

export interface UploaderParts extends Omit<RunHost, 'plan' | 'files' | 'change' | 'lose' | 'hold'> {
  /** What came of a file that is not wanted any more need not wait on the server. */
  readonly abandon: (url: string) => void;
  readonly now: () => number;
  /** Resolves after so many milliseconds, or as soon as `signal` says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const ALL_TOGETHER: Plan = { concurrency: 1, maxFiles: MAX_FILES_A_REQUEST, maxBytes: MAX_BYTES_A_REQUEST };
const ONE_BY_ONE: Plan = { concurrency: 3, maxFiles: 1, maxBytes: MAX_BYTES_A_REQUEST };

const nowhere: Locations = { removed: 0, kept: 0, withheld: 0 };

function countLocations(files: PendingList): Locations {
  const count = (location: string): number => files.filter((item) => item.location === location).length;
  return { removed: count('removed'), kept: count('kept'), withheld: count('withheld') };
}

/** Files whose sizes take long to read. */
const MANY = 200;

export type Uploader = ReturnType<typeof createUploader>;

export function createUploader(parts: UploaderParts) {
  let state: UploadState = { files: [], run: null, receipt: null };
  let lastId = 0;
  /** Grows when the list is forgotten. */
  let epoch = 0;
  let controller = new AbortController();
  let pausing = new AbortController();
  let plan = ALL_TOGETHER;
  const speeds = createSpeeds();
  /** Files that come onto the list bit by bit: whether they are sent when they are there, or wanted no more. */
  const readings = new Set<{ pressed: boolean; dropped: boolean }>();
  let sending: Promise<unknown> = Promise.resolve();
  const watchers = new Set<() => void>();
  const listeners = new Set<(event: UploadEvent) => void>();

  const set = (next: UploadState): void => {
    state = next;
    for (const watcher of watchers) watcher();
  };
  const emit = (event: UploadEvent): void => {
    for (const listener of listeners) listener(event);
  };

  const change = (told: ReadonlyMap<number, Change>): void => {
    const changes = speeds.add(parts.now(), told);
    const files = applyChanges(state.files, changes);
    const { run } = state;
    if (run === null) {
      set({ ...state, files });
      return;
    }
    const before = totalsOf(state.files, run);
    const after = totalsOf(files, run);
    const samples = addSample(run.samples, { at: parts.now(), bytes: after.bytesSent });
    set({ ...state, files, run: { ...run, samples } });
    const mark = after.bytes === 0 ? null : milestone(before.bytesSent / after.bytes, after.bytesSent / after.bytes);
    if (mark !== null && after.filesSent < after.files) emit({ kind: 'passed', percent: mark });
    for (const [id, { status, reason }] of changes) {
      const item = files.find((one) => one.id === id);
      if (item && status === 'refused') emit({ kind: 'refused', name: item.file.name, reason: reason ?? '' });
    }
  };

  const hold = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (state.run === null || signal.aborted) return;
    const until = parts.now() + ms;
    if (state.run.heldUntil === undefined) emit({ kind: 'held', seconds: Math.ceil(ms / 1000) });
    set({ ...state, run: { ...state.run, heldUntil: until } });
    await parts.wait(ms, signal);
    // Of several that wait, the one asked to wait last says when it is over.
    if (state.run?.heldUntil === until) set({ ...state, run: { ...state.run, heldUntil: undefined } });
  };

  const end = (stopped: Failure | null): void => {
    const { files, run } = state;
    if (run === null) return;
    const mine = files.filter((item) => run.ids.has(item.id));
    const refused = mine.filter((item) => item.status === 'refused');
    const ending: Ending = {
      stored: mine.filter((item) => item.status === 'stored').length,
      there: mine.filter((item) => item.duplicate).length,
      refused: refused.length,
      cancelled: controller.signal.aborted,
      session: stopped?.session ?? false,
      reason: refused[0]?.reason ?? null,
      locations: countLocations(mine),
    };
    set({ files: withoutStored(files), run: null, receipt: receiptOf(mine, controller.signal.aborted) });
    emit({ kind: 'ended', ...ending });
  };

  const lose = (lost: boolean): void => {
    if (state.run === null || (state.run.lost ?? false) === lost) return;
    speeds.forget();
    const moving = state.files.filter((item) => item.speed !== undefined).map((item) => item.id);
    const files = applyChanges(state.files, setAll(moving, { speed: undefined }));
    set({ ...state, files, run: { ...state.run, lost } });
  };

  /** Sends what waits, once what was sent before a pause has ended. */
  const go = (): void => {
    const [mine, pause] = [controller, pausing];
    const host: RunHost = { ...parts, plan, files: () => state.files, change, lose, hold };
    sending = sending
      .then(() => sendWaiting(host, { cancelled: mine.signal, paused: pause.signal }))
      .then((stopped) => {
        if (controller === mine && (!pause.signal.aborted || !isSendingAny())) end(stopped);
      });
  };

  const isSendingAny = (): boolean => idsWhere('waiting', 'sending').length > 0;
  /** Nobody is at a paused upload who would come to its end. */
  const endPaused = (): void => void sending.then(() => state.run?.paused && !isSendingAny() && end(null));

  const enqueue = (ids: readonly number[], wanted: Plan): void => {
    if (ids.length === 0) return;
    const files = applyChanges(state.files, setAll(ids, { status: 'waiting', sent: 0, reason: undefined }));
    if (state.run !== null) {
      set({ ...state, files, run: { ...state.run, ids: new Set([...state.run.ids, ...ids]) } });
      return;
    }
    controller = new AbortController();
    pausing = new AbortController();
    plan = wanted;
    const at = parts.now();
    set({ files, run: { ids: new Set(ids), startedAt: at, samples: [{ at, bytes: 0 }] }, receipt: null });
    emit({ kind: 'started', count: ids.length });
    go();
  };

  /** @returns what puts the files back, unless the list was forgotten meanwhile */
  const undoing = (before: PendingList, gone: PendingList) => {
    const then = epoch;
    return (): void => {
      const files = epoch === then ? putBack(state.files, before, gone) : state.files;
      const count = files.length - state.files.length;
      if (count === 0) return;
      set({ ...state, files });
      emit({ kind: 'added', count, pending: withoutStored(files).length });
    };
  };

  const idsWhere = (...statuses: string[]): number[] =>
    state.files.filter((item) => statuses.includes(item.status)).map((item) => item.id);

  const append = (files: readonly File[]): number => {
    const next = addFiles(state.files, files, () => ++lastId);
    const count = next.length - state.files.length;
    if (count > 0) set({ ...state, files: next });
    return count;
  };

  const tellAdded = (count: number): void => emit({ kind: 'added', count, pending: withoutStored(state.files).length });

  const appendBitByBit = async (files: readonly File[]): Promise<void> => {
    const reading = { pressed: false, dropped: false };
    readings.add(reading);
    const first = lastId + 1;
    let count = 0;
    for await (const some of readBitByBit(files)) {
      if (reading.dropped) return;
      count += append(some);
    }
    readings.delete(reading);
    tellAdded(count);
    if (reading.pressed)
      enqueue(
        idsWhere('pending').filter((id) => id >= first),
        ALL_TOGETHER,
      );
  };

  const dropReadings = (): void => {
    for (const reading of readings) reading.dropped = true;
    readings.clear();
  };

  return {
    getState: (): UploadState => state,
    subscribe(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    onEvent(listener: (event: UploadEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Of many they come onto the list bit by bit, and nothing holds the page up. */
    add(files: readonly File[]): void {
      if (files.length > MANY) void appendBitByBit(files);
      else if (files.length > 0) tellAdded(append(files));
    },
    /** Puts back what was listed before the page was left. Returns the ids, undefined for one that is listed already. */
    restore(kept: readonly KeptFile[]): readonly (number | undefined)[] {
      const { files, ids } = restoreFiles(state.files, kept, () => ++lastId);
      if (files !== state.files) set({ ...state, files });
      return ids;
    },
    /** @returns what undoes it; undefined where there was nothing to remove */
    remove(id: number): (() => void) | undefined {
      const before = state.files;
      const item = state.files.find((one) => one.id === id);
      const files = removeFile(state.files, id);
      if (item === undefined || files.length === state.files.length) return undefined;
      set({ ...state, files });
      if (item.url !== undefined) parts.abandon(item.url);
      emit({ kind: 'removed', name: item.file.name, pending: files.length });
      if (item.status === 'waiting') endPaused();
      return undoing(before, [item]);
    },
    /** Empties the list, save for what is being sent. @returns what undoes it, and how many it took off */
    clear(): { count: number; undo: () => void } {
      dropReadings();
      const before = state.files;
      const files = state.files.filter((item) => state.run?.ids.has(item.id));
      const gone = state.files.filter((item) => !files.includes(item));
      set({ ...state, files });
      for (const { url } of gone) if (url !== undefined) parts.abandon(url);
      return { count: gone.length, undo: undoing(before, gone) };
    },
    /** Sends everything that is listed or about to be, in as few requests as the server takes. Returns false when nothing is there to send. */
    start(): boolean {
      const ids = idsWhere('pending', 'refused');
      for (const reading of readings) reading.pressed = true;
      if (ids.length > 0 && state.run === null) enqueue(ids, ALL_TOGETHER);
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
    /** Breaks the upload off; what is not stored stays listed. */
    cancel(): void {
      if (state.run === null) return;
      controller.abort();
      change(setAll(idsWhere('sending', 'waiting'), { status: 'pending', sent: 0 }));
      endPaused();
    },
    /** Begins nothing more. Files that go in pieces stop where they are; a form that is on its way is let end. */
    pause(): void {
      if (state.run === null || state.run.paused) return;
      pausing.abort();
      set({ ...state, run: { ...state.run, paused: true, lost: false } });
      emit({ kind: 'paused' });
    },
    resume(): void {
      if (!state.run?.paused) return;
      pausing = new AbortController();
      const samples = [{ at: parts.now(), bytes: totalsOf(state.files, state.run).bytesSent }];
      set({ ...state, run: { ...state.run, paused: false, samples } });
      emit({ kind: 'resumed' });
      go();
    },
    putAwayReceipt: (): void => set({ ...state, receipt: null }),
    /** Forgets everything: the files were somebody's who has left. */
    reset(): void {
      dropReadings();
      const running = state.run !== null;
      epoch += 1;
      controller.abort();
      set({ files: [], run: null, receipt: null });
      if (running)
        emit({
          kind: 'ended',
          stored: 0,
          there: 0,
          refused: 0,
          cancelled: true,
          session: false,
          reason: null,
          locations: nowhere,
        });
    },
    /** Bytes a second of the present run, or null. */
    speed: (): number | null => (state.run === null ? null : speedOf(state.run.samples)),
  };
}
