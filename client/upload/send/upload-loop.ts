/** Sends the waiting files: groups them into requests and runs some in parallel. No DOM. */

import { type Changes, type PendingFile, type PendingList, setAll } from '../list/pending.ts';
import { ofSending, type SendingStore } from '../upload-store.ts';
import { anyOf } from './any-of.ts';
import type { Environment, Failure, KeyedFile } from './environment.ts';
import { type GroupLimits, isResumable, limitsAfter, smallerThan, takeGroup } from './groups.ts';
import { divideSent } from './progress.ts';
import { createReconnect } from './reconnect.ts';
import { type GroupResult, sendGroup } from './send-group.ts';

/** How the small files of a job are sent. */
export interface Plan {
  readonly concurrency: number;
  readonly limits: GroupLimits;
}

export interface Signals {
  /** Aborts requests in flight. */
  readonly cancelled: AbortSignal;
  /** Starts no new request; aborts resumable uploads; forms in flight finish. */
  readonly paused: AbortSignal;
}

/** Sends until no file waits. Resolves with the failure that stopped it, or null; never rejects. */
export type Sender = (store: SendingStore, plan: Plan, signals: Signals) => Promise<Failure | null>;

/** Large files sent at once: one fills the connection, a second one bridges the pauses between parts. */
const LARGE_AT_ONCE = 2;

/** The sender of an environment. It also ends when the job is paused. */
export async function sendWaiting(
  store: SendingStore,
  env: Environment,
  plan: Plan,
  { cancelled, paused }: Signals,
): Promise<Failure | null> {
  const broken = anyOf(cancelled, paused);
  const { reconnect, answered } = createReconnect(env, store.setOffline);
  let { limits } = plan;
  let stopped: Failure | null = null;
  const isOver = (): boolean => broken.aborted || stopped !== null;
  const waiting = (): PendingList => store.get().files.filter((item) => item.status === 'waiting');

  const begin = (files: readonly PendingFile[]): readonly KeyedFile[] => {
    const group = files.map((item) => ({ ...item, key: item.key ?? `${env.pageKey}-${item.id}` }));
    store.change(new Map(group.map(({ id, key }) => [id, { status: 'sending', key, reason: undefined }])));
    return group;
  };
  const finish = (changes: Changes): void => store.change(ofSending(store.get().files, changes));

  const sendForms = async (): Promise<void> => {
    while (!isOver()) {
      const small = waiting().filter((item) => !isResumable(item));
      const group = begin(takeGroup(small, limits));
      if (group.length === 0) return;
      const { changes, failure, fits, hasBegun, ms } = await sendForm(store, env, group, cancelled);
      if (fits === 'less') limits = smallerThan(group.length, limits);
      else if (fits !== undefined) limits = { ...limits, maxFiles: fits };
      else if (failure === null) limits = limitsAfter(limits, ms);
      if (!failure?.away) answered();
      if (!failure?.away || failure.waitMs !== null) {
        finish(changes);
        if (failure?.waitMs) await waitRetryAfter(store, env, failure.waitMs, broken);
        else if (failure?.stops) stopped = failure;
        continue;
      }
      // A smaller request loses less if it fails again.
      if (hasBegun) limits = smallerThan(group.length, limits);
      finish(setAll(changes.keys(), { status: 'waiting' }));
      if (!(await reconnect(broken))) stopped = failure;
    }
  };

  /** Resumable uploads have their own retries. */
  const sendLarge = async (): Promise<void> => {
    while (!isOver()) {
      const group = begin(waiting().filter(isResumable).slice(0, 1));
      const [file] = group;
      if (file === undefined) return;
      const { changes, failure } = await sendGroup(env, group, (signal) => sendOne(store, env, file, signal), broken);
      finish(changes);
      if (failure?.waitMs) await waitRetryAfter(store, env, failure.waitMs, broken);
      else if (failure?.stops) stopped = failure;
    }
  };

  // A file retried during the job may find that the worker for its kind has already finished.
  do {
    await Promise.all([
      ...Array.from({ length: plan.concurrency }, sendForms),
      ...Array.from({ length: LARGE_AT_ONCE }, sendLarge),
    ]);
  } while (!isOver() && waiting().length > 0);
  const failure = stopped as Failure | null;
  if (failure !== null) {
    const ids = waiting().map(({ id }) => id);
    store.change(setAll(ids, { status: 'refused', reason: failure.reason }));
  }
  return failure;
}

async function sendForm(
  store: SendingStore,
  env: Environment,
  group: readonly KeyedFile[],
  signal: AbortSignal,
): Promise<GroupResult & { hasBegun: boolean; ms: number }> {
  const sizes = group.map(({ size }) => size);
  const start = env.now();
  let hasBegun = false;
  const onSent = (loaded: number, total: number): void => {
    hasBegun = true;
    store.setSent(new Map(divideSent(sizes, loaded, total).map((sent, index) => [group[index]?.id ?? 0, sent])));
  };
  const result = await sendGroup(env, group, () => env.sendForm(group, onSent, signal), signal);
  return { ...result, hasBegun, ms: env.now() - start };
}

function sendOne(store: SendingStore, env: Environment, file: KeyedFile, signal: AbortSignal) {
  return env.sendResumable(
    file,
    {
      onUrl: (url) => store.change(setAll([file.id], { url })),
      onOffset(offset) {
        store.setOffline(false);
        store.setOffset(file.id, offset);
      },
      onSent(sent) {
        store.setOffline(false);
        store.setSent(new Map([[file.id, sent]]));
      },
      onOffline: () => store.setOffline(true),
    },
    signal,
  );
}

/** Waits as long as the server requests, and shows the countdown. Resolves early if `signal` aborts. */
async function waitRetryAfter(store: SendingStore, env: Environment, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const until = env.now() + ms;
  store.startWait(until);
  await env.wait(ms, signal);
  store.endWait(until);
}
