/** Moves the focus where the browser would lose it: a control that had it has disappeared, or a new one expects input. */

import { flushSync } from 'react-dom';

/** Whether no control has the focus: the one that had it is gone. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Focuses an element, or the page's heading if there is none. */
export function focusOrHeading(element: HTMLElement | null | undefined): void {
  (element ?? document.querySelector<HTMLElement>('main h1'))?.focus();
}

/**
 * Renders a change at once, and focuses the control that replaces the pressed one. Any later, keys pressed meanwhile would be lost.
 * @param find undefined to keep the focus
 */
export function focusAfter(
  change: () => void,
  find: () => HTMLElement | null | undefined,
  options?: FocusOptions,
): void {
  flushSync(change);
  find()?.focus(options);
}

/** As a `ref`: focuses a control when it appears. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/** As a `ref`: focuses the first control of a part when it appears. */
export function focusFirstOnMount(part: HTMLElement | null): void {
  focusOnMount(part?.querySelector<HTMLElement>('input, button') ?? null);
}

/** As a `ref`: the control that gets the focus when the dialog around it opens. */
export function focusInDialog(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '');
}
