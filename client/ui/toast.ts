/** Shows toasts. Their script is no part of the first one: it loads when the page is idle, or with the first toast. */
import { useSyncExternalStore } from 'react';

let loading: Promise<typeof import('./toasts.tsx')> | undefined;
const listeners = new Set<() => void>();

export function loadToasts(): Promise<typeof import('./toasts.tsx')> {
  if (!loading) {
    loading = import('./toasts.tsx');
    loading.catch(() => {
      loading = undefined;
    });
    for (const listener of listeners) listener();
  }
  return loading;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the toasts are needed from now on. */
export const useToastsWanted = (): boolean => useSyncExternalStore(subscribe, () => loading !== undefined);

/** Shows a success for 2 s. `text` is the first line, unchanged; `reason` the second. */
export function showSuccess(text: string, reason?: string): void {
  loadToasts().then(
    ({ addSuccess }) => addSuccess(text, reason),
    () => undefined,
  );
}

/** Shows an error for 4 s and announces it at once. `text` is the first line, unchanged; `reason` the second. */
export function showError(text: string, reason?: string): void {
  loadToasts().then(
    ({ addError }) => addError(text, reason),
    () => undefined,
  );
}
