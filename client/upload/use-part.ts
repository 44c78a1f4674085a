import { useSyncExternalStore } from 'react';
import type { Component } from '../lib/component.ts';

/** A component that loads after the first render of a screen. */
export interface Part<Props> {
  readonly get: () => Component<Props> | undefined;
  /** Whether the last try to load it failed. */
  readonly hasFailed: () => boolean;
  /** Loads it, if it is missing. Never rejects. */
  readonly load: () => Promise<void>;
  /** Starts loading, and again when the network returns. */
  readonly subscribe: (onChange: () => void) => () => void;
}

export function createPart<Props>(load: () => Promise<Component<Props>>): Part<Props> {
  let component: Component<Props> | undefined;
  let hasFailed = false;
  const listeners = new Set<() => void>();
  const fetch = async (): Promise<void> => {
    try {
      component ??= await load();
      hasFailed = false;
    } catch {
      hasFailed = true;
    }
    for (const listener of listeners) listener();
  };
  return {
    get: () => component,
    hasFailed: () => hasFailed,
    load: fetch,
    subscribe(onChange) {
      listeners.add(onChange);
      void fetch();
      window.addEventListener('online', fetch);
      return () => {
        listeners.delete(onChange);
        window.removeEventListener('online', fetch);
      };
    },
  };
}

/** @returns the component, or undefined until it is loaded */
export const usePart = <Props>({ subscribe, get }: Part<Props>): Component<Props> | undefined =>
  useSyncExternalStore(subscribe, get);

export const usePartFailure = <Props>({ subscribe, hasFailed }: Part<Props>): boolean =>
  useSyncExternalStore(subscribe, hasFailed);
