import { useCallback, useEffect, useEffectEvent, useMemo } from 'react';
import type { Image } from '../../../server/contract.ts';
import type { Pick } from '../../image/card/image-card.tsx';
import { keptImages } from '../../image/wall/kept-page.ts';
import { focusOnMount, isFocusLost } from '../../lib/focus.ts';
import { useLatest } from '../../lib/hooks/use-latest.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import { queries } from '../../query/queries.ts';
import { SELECT_BUTTON } from './select-button.tsx';
import { chosen, type Selection } from './selection.ts';
import { useSelectKeys } from './use-select-keys.ts';
import type { Selecting } from './use-selection.ts';

interface Place {
  selection: Selection;
  selecting: Selecting;
  images: readonly Image[];
  open: (id: string) => void;
}

/** Selection by a frame, for mice. Its script loads when the page is idle. */
function useRubberBand(selecting: Selecting, images: readonly Image[]): void {
  const begin = useEffectEvent(() => selecting.sweep(images));
  useEffect(() => {
    if (!matchMedia('(any-pointer: fine)').matches) return;
    let end = (): void => {};
    let isOver = false;
    const callOff = whenIdle(() => {
      import('./rubber-band.ts')
        .then(({ watchRubberBand }) => {
          if (!isOver) end = watchRubberBand(() => begin());
        })
        // Every other way to select works without it.
        .catch(() => undefined);
    });
    return () => {
      isOver = true;
      callOff();
      end();
    };
  }, []);
}

/** Leaving selection mode removes the bar: a focus in it moves to the button that turned the mode on. */
function focusSelectButton(): void {
  if (isFocusLost()) focusOnMount(document.getElementById(SELECT_BUTTON));
}

/** All ways to select images on a page. */
export function usePicking(place: Place) {
  const { selection, selecting, images } = place;
  const now = useLatest(place);
  useSelectKeys(selecting, selection.on, images);
  useRubberBand(selecting, images);
  useEffect(() => (selection.on ? focusSelectButton : undefined), [selection.on]);

  const pick = useCallback<Pick>(
    (image, how) => {
      // The current mode decides, not the one that the card was rendered with.
      if (how === 'open' && !now.current.selection.on) now.current.open(image.id);
      else if (how === 'range') selecting.extend(image, now.current.images);
      else selecting.toggle(image);
    },
    [selecting, now],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the page changes the kept images
  const picked = useMemo(() => chosen(selection, keptImages(queries)), [selection, images]);
  return { pick, chosen: picked };
}
