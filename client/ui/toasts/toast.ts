/** Shows toasts. Their script is no part of the first one: it loads when the page is idle, or with the first toast. */
import { useSyncExternalStore } from 'react';

type ToastsModule = typeof import('./toasts.tsx');

let loading: Promise<ToastsModule> | undefined;
let loaded: ToastsModule | undefined;
const listeners = new Set<() => void>();

export function loadToasts(): Promise<ToastsModule> {
  loading ??= import('./toasts.tsx').then(
    (module) => {
      loaded = module;
      for (const listener of listeners) listener();
      return module;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The script of the toasts, once it is loaded. */
export const useToasts = (): ToastsModule | undefined => useSyncExternalStore(subscribe, () => loaded);

/** Shows a success for 2 s. `text` is the first line, unchanged; `reason` the second. */
export function showSuccess(text: string, reason?: string): void {
  loadToasts().then(
    ({ addSuccess }) => addSuccess(text, reason),
    () => undefined,
  );
}

/** Offers to reload the page, or withdraws the offer. */
export function offerReload(isOffered: boolean): void {
  loadToasts().then(
    ({ addReload, removeReload }) => (isOffered ? addReload() : removeReload()),
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
