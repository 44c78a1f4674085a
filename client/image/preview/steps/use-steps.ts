import { useMemo, useState } from 'react';
import type { Image } from '../../../../server/contract.ts';
import { around } from '../../wall/neighbours.ts';
import type { AdjacentPages } from './use-adjacent-pages.ts';

/** Keeps the images of the page on which the overlay's image was last found, until the overlay has followed it to another. */
function useShown(images: readonly Image[], id: string) {
  const [held, setHeld] = useState(images);
  const isHere = images.some((image) => image.id === id);
  if (isHere && images !== held) setHeld(images);
  const shown = isHere ? images : held;
  return { ...around(shown, id), shown };
}

export type Steps = ReturnType<typeof useSteps>;

/** The images that the overlay can step to, and the steps. @param images those of the page @param id the current image */
export function useSteps(images: readonly Image[], id: string, adjacent: AdjacentPages, onShow: (id: string) => void) {
  const { current, previous, next, index, shown } = useShown(images, id);
  const { before, after, hasBefore, hasAfter, cross } = adjacent;
  const swiped = useMemo(
    () => [before, ...shown, after].filter((image) => image !== undefined),
    [before, shown, after],
  );
  return {
    current,
    index,
    shown,
    /** `shown`, between the adjacent images of other pages. */
    swiped,
    hasPrevious: previous !== undefined || hasBefore,
    hasNext: next !== undefined || hasAfter,
    view(image: Image): void {
      if (image === before) cross(-1);
      else if (image === after) cross(1);
      else onShow(image.id);
    },
    turn(by: -1 | 1): void {
      const to = by < 0 ? previous : next;
      if (to) onShow(to.id);
      else if (by < 0 ? hasBefore : hasAfter) cross(by);
    },
  };
}
