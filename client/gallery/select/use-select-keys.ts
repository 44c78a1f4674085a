import { useEffect, useRef } from 'react';
import type { Image } from '../../../server/contract.ts';
import { isCovered, isField, isSingleKey } from '../../lib/keyboard.ts';
import { singleKeys } from '../../session/single-keys.ts';
import type { Selecting } from './use-selection.ts';

interface Place {
  on: boolean;
  images: readonly Image[];
}

/** X selects the focused card's image; Ctrl/Cmd+A selects the page from a card or in selection mode; Esc leaves the mode. */
export function useSelectKeys(selecting: Selecting, place: Place): void {
  const now = useRef(place);
  now.current = place;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (event.defaultPrevented || !(target instanceof Element) || isField(target) || isCovered()) return;
      const { on, images } = now.current;
      const card = target.closest<HTMLElement>('main [data-image]');
      if (key === 'Escape' && on) {
        selecting.leave();
      } else if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'a' && (on || card)) {
        event.preventDefault();
        selecting.all(images);
      } else if (key.toLowerCase() === 'x' && isSingleKey(event) && !singleKeys.ignores(event)) {
        const image = images.find(({ id }) => id === card?.dataset.image);
        if (image) selecting.toggle(image);
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [selecting]);
}
