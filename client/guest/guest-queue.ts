/** The upload queue on the page of a collect link. It outlives the form for a new password, and ends with the link. */
import type { CollectPage } from '../../server/contract.ts';
import { ApiError, isAway } from '../api/api-error.ts';
import { uploadTo } from '../api/upload-target.ts';
import { forgetQueue } from '../lib/forget-queue.ts';
import { usageKey } from '../query/keys.ts';
import { invalidate, queries } from '../query/queries.ts';
import { keepList } from '../upload/persist/keep-list.ts';
import { retryDelay } from '../upload/send/retry-after.ts';
import { uploads } from '../upload/uploads.ts';
import { hasEnded, linkAt } from './guest-queries.ts';

/** Keeps the chosen files in this browser while the link accepts them. */
function createKeeper(path: string) {
  let keeping: AbortController | undefined;
  let isOver = false;
  return {
    /** Restores the files of an earlier visit, once. */
    keep(): void {
      isOver = false;
      if (keeping) return;
      keeping = new AbortController();
      keepList(uploads, path, keeping.signal).catch(() => undefined);
    },
    /** Deletes the files, which cannot be sent any more. */
    forget(): void {
      if (isOver) return;
      isOver = true;
      uploads.reset();
      keeping?.abort();
      keeping = undefined;
      forgetQueue(path);
    },
  };
}

/** Sends the page's uploads to the link, until the browser leaves the page: nothing on it leads to another one. */
export function followLink(path: string): void {
  const query = linkAt(path);
  const keeper = createKeeper(path);
  let isWaiting = false;
  const load = (): void => {
    isWaiting = false;
    void queries.fetch(query);
  };
  const follow = (): void => {
    const { data, error, fetching } = queries.read<CollectPage>(query.key);
    if (hasEnded(error)) keeper.forget();
    else if (data?.is_guest && data.limits) keeper.keep();
    // The server did not answer: what an earlier visit began continues as soon as it does.
    else if (data === undefined && error instanceof ApiError && isAway(error)) keeper.keep();
    if (data !== undefined || fetching) return;
    // A login in another tab has emptied the store.
    if (error === undefined) load();
    const pause = error instanceof ApiError ? retryDelay(error) : null;
    if (pause === null || isWaiting) return;
    isWaiting = true;
    setTimeout(load, pause);
  };
  // A page that opened without a network continues once there is one.
  const reconnect = (): void => {
    if (queries.read(query.key).data === undefined) load();
  };

  uploadTo(path);
  queries.watch(query, follow);
  follow();
  window.addEventListener('online', reconnect);
  // A refusal may mean that the link has changed or ended.
  uploads.onEvent(({ kind }) => kind === 'ended' && invalidate(usageKey));
}
