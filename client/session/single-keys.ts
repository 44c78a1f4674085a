/** The switch that turns single-key shortcuts off (WCAG 2.1.4), kept in this browser for the account. */
import { useSyncExternalStore } from 'react';
import { isSingleKey } from '../lib/keyboard.ts';
import { own } from './own.ts';
import type { Kept } from './own-storage.ts';

export function createSingleKeys(kept: Kept) {
  const listeners = new Set<() => void>();
  const areOn = (): boolean => kept.get() !== false;
  return {
    areOn,
    set(on: boolean): void {
      kept.set(on);
      for (const listener of listeners) listener();
    },
    /** Whether a key press must do nothing. */
    ignores: (event: Parameters<typeof isSingleKey>[0]): boolean => isSingleKey(event) && !areOn(),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const singleKeys = createSingleKeys(own.kept('single-keys'));

export const useSingleKeys = (): boolean => useSyncExternalStore(singleKeys.subscribe, singleKeys.areOn);
