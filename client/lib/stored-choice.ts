import { useSyncExternalStore } from 'react';
import { browserStorage } from './browser-storage.ts';

export interface StoredChoice<Value extends string> {
  get(): Value | null;
  /** null: no choice by the user. */
  set(value: Value | null): void;
  subscribe(listener: () => void): () => void;
}

/** One of `values`, stored in the browser under `key`; any other stored value counts as no choice. */
export function storedChoice<Value extends string>(key: string, values: readonly Value[]): StoredChoice<Value> {
  const listeners = new Set<() => void>();
  const read = () => values.find((value) => value === browserStorage.getItem(key)) ?? null;
  return {
    get: read,
    set(value) {
      if (value) browserStorage.setItem(key, value);
      else browserStorage.removeItem(key);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStoredChoice<Value extends string>(choice: StoredChoice<Value>): Value | null {
  return useSyncExternalStore(choice.subscribe, choice.get);
}
