import { type ComponentType, useSyncExternalStore } from 'react';

/** A component that loads after the first render of a screen. */
export interface Part<Props> {
  readonly get: () => ComponentType<Props> | undefined;
  /** Starts loading, and again when the network returns. */
  readonly subscribe: (onLoad: () => void) => () => void;
}

export function createPart<Props>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let component: ComponentType<Props> | undefined;
  return {
    get: () => component,
    subscribe(onLoad) {
      let isOver = false;
      const fetch = async (): Promise<void> => {
        component ??= await load().catch(() => undefined);
        if (component !== undefined && !isOver) onLoad();
      };
      void fetch();
      window.addEventListener('online', fetch);
      return () => {
        isOver = true;
        window.removeEventListener('online', fetch);
      };
    },
  };
}

/** @returns the component, or undefined until it is loaded */
export const usePart = <Props>({ subscribe, get }: Part<Props>): ComponentType<Props> | undefined =>
  useSyncExternalStore(subscribe, get);
