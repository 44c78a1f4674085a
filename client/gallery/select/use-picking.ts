import { useCallback, useEffect, useRef } from 'react';
import type { Image } from '../../../server/contract.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import type { Address } from '../address.ts';
import type { Pages } from '../pages.ts';
import type { Outcome } from './bulk.ts';
import { SELECT_BUTTON } from './select-button.tsx';
import { chosen, type Selection } from './selection.ts';
import { useBulkDeletion } from './use-bulk-deletion.ts';
import { useSelectKeys } from './use-select-keys.ts';
import type { Selecting } from './use-selection.ts';

/** How an image was picked: alone, as the end of a range, or to open it (which selects it in selection mode). */
export type Pick = (image: Image, how: 'one' | 'range' | 'open') => void;

interface Place {
  selection: Selection;
  selecting: Selecting;
  pages: Pages;
  address: Address;
  images: readonly Image[];
  open: (id: string) => void;
}

/** Selection by a frame, for mice. Its script loads when the page is idle. */
function useRubberBand(selecting: Selecting, now: { readonly current: Place }): void {
  useEffect(() => {
    if (!matchMedia('(any-pointer: fine)').matches) return;
    let end = (): void => {};
    let isOver = false;
    const callOff = whenIdle(() => {
      import('./rubber-band.ts')
        .then(({ watchRubberBand }) => {
          if (!isOver) end = watchRubberBand(() => selecting.sweep(() => now.current.images));
        })
        // Every other way to select works without it.
        .catch(() => undefined);
    });
    return () => {
      isOver = true;
      callOff();
      end();
    };
  }, [selecting, now]);
}

/** All ways to select images on a gallery's page, and their deletion. */
export function usePicking(place: Place) {
  const { selection, selecting, images } = place;
  const now = useRef(place);
  now.current = place;
  useSelectKeys(selecting, { on: selection.on, images });
  useRubberBand(selecting, now);

  const wasOn = useRef(false);
  useEffect(() => {
    // The bar was removed while it had the focus.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (wasOn.current && !selection.on && isLost) document.getElementById(SELECT_BUTTON)?.focus();
    wasOn.current = selection.on;
  }, [selection.on]);

  const onDone = async ({ gone, problems }: Outcome): Promise<void> => {
    selecting.drop(gone);
    if (problems.size > 0) selecting.fail(problems);
    else selecting.leave();
    const { pages, address } = now.current;
    const here = now.current.images.filter(({ id }) => gone.has(id));
    for (const { id } of here) pages.drop(id, address);
    await pages.refresh(address);
  };
  const deletion = useBulkDeletion((outcome) => void onDone(outcome));

  const pick = useCallback<Pick>(
    (image, how) => {
      // The current mode decides, not the one that the card was rendered with.
      if (how === 'open' && !now.current.selection.on) now.current.open(image.id);
      else if (how === 'range') selecting.extend(image, now.current.images);
      else selecting.toggle(image);
    },
    [selecting],
  );
  return { pick, deletion, chosen: chosen(selection, images) };
}
