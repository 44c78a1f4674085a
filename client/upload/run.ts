/** The sending of waiting files: which go together, what an answer or a failure makes of them. No DOM, no texts. */
import type { UploadAnswer } from '../../server/contract.ts';
import { goesInPieces, halve, takeBatch } from './batches.ts';
import { sizeOf } from './known.ts';
import { matchOutcomes } from './outcome.ts';
import { type Change, type PendingFile, type PendingList, setAll } from './pending.ts';
import { laySent } from './progress.ts';

export type OnSent = (loaded: number, total: number) => void;
export type Send = (files: readonly File[], onSent: OnSent, signal: AbortSignal) => Promise<UploadAnswer>;

/** Sends one large file, from where it stands, however often the connection is lost. */
export type SendInPieces = (
  item: PendingFile,
  told: { onSent: OnSent; onUrl: (url: string | undefined) => void; onLost: () => void },
  signal: AbortSignal,
) => Promise<UploadAnswer>;

/** What a failed request means for the files in it and for those that wait. */
export interface Failure {
  readonly reason: string;
  /** the request held more files than the server takes: send fewer at a time */
  readonly tooMany: boolean;
  /** milliseconds after which the server asks to try the same again; null where that is not what it asks */
  readonly waitMs: number | null;
  /** no answer came */
  readonly lost: boolean;
  /** the next request would fail alike: no connection, no space, no session */
  readonly stops: boolean;
  /** the account has no room for what was sent */
  readonly full: boolean;
  /** the session is over; the shared client has said so already */
  readonly session: boolean;
  /** one reason a file, where the server refused each and named them */
  readonly rejected: UploadAnswer['rejected'];
}

export interface Plan {
  readonly concurrency: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export interface RunHost {
  readonly plan: Plan;
  readonly send: Send;
  readonly sendInPieces: SendInPieces;
  readonly explain: (error: unknown) => Failure;
  /** the reason for a file that an answer does not account for */
  readonly unexplained: string;
  /** the reason for a file that is not on the disk any more as it was chosen */
  readonly unreadable: string;
  readonly isReadable: (file: File) => Promise<boolean>;
  files(): PendingList;
  change(changes: ReadonlyMap<number, Change>): void;
  /** Whether no answer comes, and the upload tries again by itself. */
  lose(lost: boolean): void;
  /** Waits, telling so; resolves early when `signal` says so. */
  hold(ms: number, signal: AbortSignal): Promise<void>;
}

const waiting = (host: RunHost): PendingList => host.files().filter((item) => item.status === 'waiting');

/** Large files that are on their way at once: one fills a line, a second one bridges the pauses between parts. */
const LARGE_AT_ONCE = 2;

export interface Signals {
  /** What is on its way is given up. */
  readonly cancelled: AbortSignal;
  /** Nothing new is begun; what cannot be gone on with is let end. */
  readonly paused: AbortSignal;
}

/** Sends files until none waits, or it is paused. Resolves with the failure that stopped it, or null; never rejects. */
export async function sendWaiting(host: RunHost, { cancelled, paused }: Signals): Promise<Failure | null> {
  const limits = { maxFiles: host.plan.maxFiles };
  let stopped: Failure | null = null;
  const isOver = (): boolean => cancelled.aborted || paused.aborted || stopped !== null;
  const work = async (take: () => readonly PendingFile[], signal: AbortSignal, send: SendOne): Promise<void> => {
    while (!isOver()) {
      const batch = take();
      if (batch.length === 0) return;
      const failure = await sendBatch(host, batch, limits, signal, send);
      if (failure?.stops) stopped = failure;
      else if (failure && failure.waitMs !== null) await host.hold(failure.waitMs, anyOf(cancelled, paused));
    }
  };
  const small = () =>
    takeBatch(
      waiting(host).filter((item) => !goesInPieces(item)),
      limits.maxFiles,
      host.plan.maxBytes,
    );
  const large = () => waiting(host).filter(goesInPieces).slice(0, 1);
  const broken = anyOf(cancelled, paused);
  // What is tried again while others are on their way may find nobody left who takes its kind.
  do {
    await Promise.all([
      ...Array.from({ length: host.plan.concurrency }, () => work(small, cancelled, sendForm)),
      ...Array.from({ length: LARGE_AT_ONCE }, () => work(large, broken, sendPieces)),
    ]);
  } while (!isOver() && waiting(host).length > 0);
  const failure = stopped as Failure | null;
  if (failure !== null)
    host.change(setAll(idsOf(waiting(host)), { status: 'refused', reason: failure.reason, sent: 0 }));
  return failure;
}

function anyOf(one: AbortSignal, other: AbortSignal): AbortSignal {
  const both = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) both.abort();
    signal.addEventListener('abort', () => both.abort(), { once: true });
  }
  return both.signal;
}

type SendOne = (
  host: RunHost,
  batch: readonly PendingFile[],
  onSent: OnSent,
  signal: AbortSignal,
) => Promise<UploadAnswer>;

const sendForm: SendOne = (host, batch, onSent, signal) =>
  host.send(
    batch.map((item) => item.file),
    onSent,
    signal,
  );

const sendPieces: SendOne = async (host, [item], onSent, signal) => {
  if (item === undefined) return { images: [], rejected: [] };
  const told = {
    onSent: (sent: number, total: number) => {
      host.lose(false);
      onSent(sent, total);
    },
    onUrl: (url: string | undefined) => host.change(setAll([item.id], { url })),
    onLost: () => host.lose(true),
  };
  return host.sendInPieces(item, told, signal);
};

const idsOf = (items: readonly PendingFile[]): number[] => items.map((item) => item.id);

async function sendBatch(
  host: RunHost,
  batch: readonly PendingFile[],
  limits: { maxFiles: number },
  signal: AbortSignal,
  send: SendOne,
): Promise<Failure | null> {
  const ids = idsOf(batch);
  const sizes = batch.map((item) => sizeOf(item.file));
  host.change(
    new Map(batch.map(({ id, url, sent }) => [id, { status: 'sending', sent: url ? sent : 0, reason: undefined }])),
  );
  const onSent: OnSent = (loaded, total) => {
    const laid = new Map(laySent(sizes, loaded, total).map((sent, index) => [ids[index], sent]));
    // Of a hundred files of a request one or two have moved.
    const moved = host.files().filter(({ id, sent }) => (laid.get(id) ?? sent) !== sent);
    host.change(new Map(moved.map(({ id }) => [id, { sent: laid.get(id) ?? 0 }])));
  };
  try {
    const answer = await send(host, batch, onSent, signal);
    host.change(changesOf(host, batch, answer, limits));
    return null;
  } catch (error) {
    const failure = signal.aborted ? null : host.explain(error);
    const unread = failure?.lost ? await unreadableOf(host, batch) : new Map();
    if (failure === null || signal.aborted) {
      // Paused; of what was cancelled the list has said already that nothing is sent any more.
      const sending = host.files().filter((item) => item.status === 'sending' && ids.includes(item.id));
      host.change(setAll(idsOf(sending), { status: 'waiting' }));
      return null;
    }
    if (unread.size > 0) {
      // The browser breaks a request off over one such file, and says no more than that no answer came.
      host.change(new Map([...setAll(ids, { status: 'waiting', sent: 0 }), ...unread]));
      return null;
    }
    if (failure.tooMany && batch.length > 1) {
      limits.maxFiles = halve(batch.length);
      host.change(setAll(ids, { status: 'waiting', sent: 0 }));
      return null;
    }
    if (failure.waitMs !== null) {
      host.change(setAll(ids, { status: 'waiting', sent: 0 }));
      return failure;
    }
    const each = failure.rejected.length === batch.length;
    host.change(
      each
        ? changesOf(host, batch, { images: [], rejected: failure.rejected }, limits)
        : setAll(ids, { status: 'refused', reason: failure.reason, sent: 0 }),
    );
    // Several were refused and none of them looked at: there is no room at all, nor for those that wait.
    return failure.full && !each && batch.length > 1 ? { ...failure, stops: true } : failure;
  }
}

async function unreadableOf(host: RunHost, batch: readonly PendingFile[]): Promise<Map<number, Change>> {
  const readable = await Promise.all(batch.map(({ file }) => host.isReadable(file)));
  const gone = idsOf(batch.filter((_, index) => !readable[index]));
  return setAll(gone, { status: 'refused', sent: 0, reason: host.unreadable });
}

function changesOf(
  host: RunHost,
  batch: readonly PendingFile[],
  answer: UploadAnswer,
  limits: { maxFiles: number },
): Map<number, Change> {
  const outcomes = matchOutcomes(
    batch.map((item) => item.file),
    answer,
  );
  const surplus = outcomes.filter((one) => one?.stored === false && one.code === 'TOO_MANY_FILES').length;
  const taken = batch.length - surplus;
  // Where the server took the first files of a request and found the rest too many, the rest simply goes next.
  const again = surplus > 0 && batch.length > 1;
  if (again) limits.maxFiles = taken > 0 ? taken : halve(batch.length);
  return new Map(
    batch.map((item, index): [number, Change] => {
      const outcome = outcomes[index];
      if (outcome?.stored) {
        const { location, duplicate } = outcome;
        return [item.id, { status: 'stored', sent: sizeOf(item.file), location, duplicate, url: undefined }];
      }
      if (again && outcome?.code === 'TOO_MANY_FILES') return [item.id, { status: 'waiting', sent: 0 }];
      return [item.id, { status: 'refused', sent: 0, reason: outcome?.message ?? host.unexplained, url: undefined }];
    }),
  );
}
