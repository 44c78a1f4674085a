import { type RefObject, useLayoutEffect, useRef } from 'react';
import { focusOrHeading, isFocusLost } from '../lib/focus.ts';

/**
 * Keeps the focus when a list's items move or are removed, which would lose it.
 * @param order changes with the list
 * @returns a function to call before a change: the focused control gets the focus back, or the one in its place
 */
export function useSteadyFocus(list: RefObject<HTMLElement | null>, order: string): () => void {
  const kept = useRef<{ control: HTMLElement; place: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the list has changed
  useLayoutEffect(() => {
    const { control, place } = kept.current ?? {};
    kept.current = undefined;
    if (!isFocusLost() || control === undefined || place === undefined) return;
    if (control.isConnected) focusOrHeading(control);
    else {
      const items = [...(list.current?.children ?? [])];
      focusOrHeading((items[place] ?? items.at(-1))?.querySelector<HTMLElement>('a, button'));
    }
  }, [order]);
  return () => {
    const control = document.activeElement;
    const place = [...(list.current?.children ?? [])].findIndex((item) => item.contains(control));
    kept.current = control instanceof HTMLElement && place >= 0 ? { control, place } : undefined;
  };
}
