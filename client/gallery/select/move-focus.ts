import type { KeyboardEvent } from 'react';

/**
 * Moves the focus from one item of a toolbar or menu to another: by Home, by End, and by the keys in `steps`, around both
 * ends. @returns whether it moved
 */
export function moveFocus(
  event: KeyboardEvent,
  items: readonly HTMLElement[],
  steps: Readonly<Record<string, number>>,
): boolean {
  const at = items.indexOf(event.target as HTMLElement);
  const to = event.key === 'Home' ? 0 : event.key === 'End' ? items.length - 1 : at + (steps[event.key] ?? 0);
  if (at < 0 || to === at) return false;
  event.preventDefault();
  items.at(to % items.length)?.focus();
  return true;
}
