import { useEffect, useEffectEvent } from 'react';
import type { Image } from '../../../server/contract.ts';
import type { Selecting } from './use-selection.ts';

/** Whether a dialog, a menu or a question has the keyboard. */
const isCovered = (): boolean => document.querySelector('dialog[open], [aria-modal="true"], :popover-open') !== null;

const isEditable = (target: Element): boolean =>
  target.matches('textarea, select, [contenteditable], input:not([type="checkbox"])');

/** X selects the focused card's image; Ctrl/Cmd+A selects the page from a card or in selection mode; Esc leaves the mode. */
export function useSelectKeys(selecting: Selecting, isOn: boolean, images: readonly Image[]): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.defaultPrevented || !(target instanceof Element) || isEditable(target) || isCovered()) return;
    const card = target.closest<HTMLElement>('main [data-image]');
    if (key === 'Escape' && isOn) {
      selecting.leave();
    } else if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'a' && (isOn || card)) {
      event.preventDefault();
      selecting.all(images);
    } else if (key.toLowerCase() === 'x' && !ctrlKey && !metaKey && !altKey) {
      const image = images.find(({ id }) => id === card?.dataset.image);
      if (image) selecting.toggle(image);
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
