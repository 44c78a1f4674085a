/** The state of the upload, and its subscribers. */

import type { PendingList, Status } from './list/pending.ts';
import type { Receipt } from './send/receipt.ts';
import type { Ending } from './send/summary.ts';
import type { Run } from './send/totals.ts';

export interface UploadState {
  readonly files: PendingList;
  /** null while nothing is being sent */
  readonly run: Run | null;
  /** the results of the last run, until dismissed */
  readonly receipt: Receipt | null;
}

export type UploadEvent =
  | { readonly kind: 'added'; readonly count: number; readonly pending: number }
  | { readonly kind: 'removed'; readonly name: string; readonly pending: number }
  | { readonly kind: 'started'; readonly count: number }
  | { readonly kind: 'passed'; readonly percent: number }
  | { readonly kind: 'paused' | 'resumed' | 'lost' }
  | { readonly kind: 'held'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }
  | ({ readonly kind: 'ended' } & Ending);

export type UploadStore = ReturnType<typeof createUploadStore>;

export function createUploadStore() {
  let state: UploadState = { files: [], run: null, receipt: null };
  const watchers = new Set<() => void>();
  const listeners = new Set<(event: UploadEvent) => void>();
  return {
    get: (): UploadState => state,
    set(change: Partial<UploadState>): void {
      state = { ...state, ...change };
      for (const watcher of watchers) watcher();
    },
    subscribe(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    emit(event: UploadEvent): void {
      for (const listener of listeners) listener(event);
    },
    onEvent(listener: (event: UploadEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    idsWhere: (...statuses: Status[]): number[] =>
      state.files.filter((item) => statuses.includes(item.status)).map((item) => item.id),
  };
}
