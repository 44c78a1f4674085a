import { useSyncExternalStore } from 'react';
import { browserStorage } from '../lib/browser-storage.ts';
import { createSessionStore } from './session-store.ts';

export const session = createSessionStore(browserStorage);

export function useToken(): string | null {
  return useSyncExternalStore(session.subscribe, session.token);
}
