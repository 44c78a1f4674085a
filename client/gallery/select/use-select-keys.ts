import { useEffect, useEffectEvent } from 'react';
import type { Image } from '../../../server/contract.ts';
import { isCovered, isField, isSingleKey } from '../../lib/keyboard.ts';
import { singleKeys } from '../../session/single-keys.ts';
import type { Selecting } from './use-selection.ts';

/** X selects the focused card's image; Ctrl/Cmd+A selects the page from a card or in selection mode; Esc leaves the mode. */
export function useSelectKeys(selecting: Selecting, isOn: boolean, images: readonly Image[]): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.defaultPrevented || !(target instanceof Element) || isField(target) || isCovered()) return;
    const card = target.closest<HTMLElement>('main [data-image]');
    if (key === 'Escape' && isOn) {
      selecting.leave();
    } else if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'a' && (isOn || card)) {
      event.preventDefault();
      selecting.all(images);
    } else if (key.toLowerCase() === 'x' && isSingleKey(event) && !singleKeys.ignores(event)) {
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
