import { useSyncExternalStore } from 'react';
import { afterPaint } from '../../lib/after-paint.ts';
import { uploads } from '../uploads.ts';
import type { PendingList } from './pending.ts';

/** Longer lists are virtualized, and follow after the next paint. */
export const MANY = 200;

interface ShownList {
  readonly files: PendingList;
  readonly isRunning: boolean;
}

function current(): ShownList {
  const { files, job } = uploads.getState();
  return { files, isRunning: job !== null };
}

let shown = current();

function subscribe(onChange: () => void): () => void {
  let isDue = false;
  const show = (): void => {
    isDue = false;
    shown = current();
    onChange();
  };
  shown = current();
  return uploads.subscribe(() => {
    const { files, isRunning } = current();
    if (isDue || (files === shown.files && isRunning === shown.isRunning)) return;
    isDue = Math.max(files.length, shown.files.length) > MANY;
    if (isDue) afterPaint(show);
    else show();
  });
}

/** The files that the list shows. The button that was pressed answers before a long list renders. */
export const useShownList = (): ShownList => useSyncExternalStore(subscribe, () => shown);
