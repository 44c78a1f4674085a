/** Whether accounts log in by passwords here: yes, until the server has said otherwise (provider-sign-in.tsx). */
import { useSyncExternalStore } from 'react';

let isOff = false;
const listeners = new Set<() => void>();

export function turnPasswordsOff(): void {
  isOff = true;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePasswordLogin = (): boolean => useSyncExternalStore(subscribe, () => !isOff);
