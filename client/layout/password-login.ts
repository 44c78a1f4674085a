/** What the login pages offer: everything, until the server has said otherwise (provider-sign-in.tsx). */
import { useSyncExternalStore } from 'react';

const off = { passwords: false, registration: false };
const listeners = new Set<() => void>();

export function turnOff(part: keyof typeof off): void {
  off[part] = true;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const useIsOn = (part: keyof typeof off): boolean => useSyncExternalStore(subscribe, () => !off[part]);

/** Whether accounts log in by passwords here. */
export const usePasswordLogin = (): boolean => useIsOn('passwords');

/** Whether anyone may register here. */
export const useRegistration = (): boolean => useIsOn('registration');
