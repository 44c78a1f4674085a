/** Sends the waiting files: groups them into requests and runs some in parallel. No DOM, no texts. */

import { type PendingFile, type PendingList, setAll } from '../list/pending.ts';
import type { Failure, RunHost } from './environment.ts';
import { goesInPieces, takeBatch } from './groups.ts';
import { createRegaining } from './reconnect.ts';
import { idsOf, type SendOne, sendBatch, sendForm, sendPieces } from './send-group.ts';

const waiting = (host: RunHost): PendingList => host.files().filter((item) => item.status === 'waiting');

/** Large files sent at once: one fills the connection, a second one bridges the pauses between parts. */
const LARGE_AT_ONCE = 2;

export interface Signals {
  /** Aborts requests in flight. */
  readonly cancelled: AbortSignal;
  /** Starts no new request; aborts resumable uploads; forms in flight finish. */
  readonly paused: AbortSignal;
}

/** Sends files until none waits or the run is paused. Resolves with the failure that stopped it, or null; never rejects. */
export async function sendWaiting(host: RunHost, { cancelled, paused }: Signals): Promise<Failure | null> {
  const broken = anyOf(cancelled, paused);
  const limits = { maxFiles: host.plan.maxFiles };
  let stopped: Failure | null = null;
  const regaining = createRegaining(host, host.lose);
  const isOver = (): boolean => cancelled.aborted || paused.aborted || stopped !== null;
  const work = async (take: () => readonly PendingFile[], signal: AbortSignal, send: SendOne): Promise<void> => {
    while (!isOver()) {
      const batch = take();
      if (batch.length === 0) return;
      const failure = await sendBatch(host, batch, limits, signal, send);
      const isForm = send === sendForm;
      if (isForm && !failure?.away) regaining.answered();
      if (failure === null) continue;
      if (failure.waitMs !== null) await host.hold(failure.waitMs, broken);
      // Resumable uploads have their own retries.
      else if (isForm && failure.away && (await regaining.regain(broken))) continue;
      else if (failure.stops) stopped = failure;
    }
  };
  const small = () =>
    takeBatch(
      waiting(host).filter((item) => !goesInPieces(item)),
      limits.maxFiles,
      host.plan.maxBytes,
    );
  const large = () => waiting(host).filter(goesInPieces).slice(0, 1);
  // A file retried during the run may find that the worker for its kind has already finished.
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
