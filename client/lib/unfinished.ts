/** Counts activities that leaving the page would interrupt; while there are any, the browser asks before leaving. */
import { useSyncExternalStore } from 'react';

let running = 0;
const listeners = new Set<() => void>();

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

function count(by: 1 | -1) {
  running += by;
  if (running > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
  for (const listener of listeners) listener();
}

export const blockUnload = (): void => count(1);
export const allowUnload = (): void => count(-1);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useUnfinished = (): boolean => useSyncExternalStore(subscribe, () => running > 0);
