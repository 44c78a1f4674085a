import { useEffect } from 'react';
import { focusOrHeading } from '../../lib/focus.ts';

/** The DOM id of a card's picture. */
export const pictureId = (id: string): string => `picture-${id}`;

/** Focuses an image's picture, or the page's heading if the picture is not on the page. */
export function focusPicture(id: string | undefined): void {
  const picture = id === undefined ? null : document.getElementById(pictureId(id));
  focusOrHeading(picture);
  picture?.scrollIntoView({ block: 'nearest' });
}

/** Focuses the picture that the closed overlay showed last. @param id null until its page is rendered */
export function useReturning(id: string | null, onReturned: () => void): void {
  useEffect(() => {
    if (id === null) return;
    focusPicture(id);
    onReturned();
  }, [id, onReturned]);
}

/** Whether the focus would be lost if the image's card were removed. */
export function holdsFocus(id: string): boolean {
  const focused = document.activeElement;
  const card = document.getElementById(pictureId(id))?.closest('li');
  return focused === null || focused === document.body || (card?.contains(focused) ?? false);
}
