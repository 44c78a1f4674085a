import { type RefObject, useLayoutEffect, useRef } from 'react';

export const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

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
    if (!isLost() || control === undefined || place === undefined) return;
    if (control.isConnected) control.focus();
    else {
      const items = [...(list.current?.children ?? [])];
      const next = (items[place] ?? items.at(-1))?.querySelector<HTMLElement>('a, button');
      // If the list is empty, the page's heading.
      (next ?? document.querySelector<HTMLElement>('h1'))?.focus();
    }
  }, [order]);
  return () => {
    const control = document.activeElement;
    const place = [...(list.current?.children ?? [])].findIndex((item) => item.contains(control));
    kept.current = control instanceof HTMLElement && place >= 0 ? { control, place } : undefined;
  };
}
