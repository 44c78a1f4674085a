import { useRef, useState } from 'react';
import type { Image } from '../../server/contract.ts';
import { focusPicture, holdsFocus } from '../image/image-wall.tsx';
import { pageInstead } from '../image/kept-page.ts';
import { beside } from '../image/neighbours.ts';
import type { PreviewState } from '../image/use-preview.ts';
import type { Address } from './address.ts';
import type { Pages } from './pages.ts';
import type { Go } from './use-address.ts';

const LEAVE_MS = 200;

const pause = (): Promise<void> => {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return new Promise((resolve) => setTimeout(resolve, still ? 0 : LEAVE_MS));
};

interface Place {
  pages: Pages;
  address: Address;
  go: Go;
  images: readonly Image[];
  preview: PreviewState;
}

/** Updates the screen after a deletion: the card shrinks away, and the focus or the overlay moves to its neighbour. */
export function useRemoval(place: Place) {
  const [leaving, setLeaving] = useState<string | null>(null);
  const now = useRef(place);
  now.current = place;

  const onGone = async (image: Image): Promise<void> => {
    const { images, preview } = now.current;
    const neighbour = beside(images, image.id);
    if (preview.id === image.id) {
      if (neighbour) preview.show(neighbour.id);
      else {
        await preview.close();
        if (holdsFocus(image.id)) focusPicture(undefined);
      }
    } else {
      setLeaving(image.id);
      await pause();
      if (holdsFocus(image.id)) focusPicture(neighbour?.id);
    }
    const { pages, address, go } = now.current;
    const left = pages.drop(image.id, address);
    setLeaving((id) => (id === image.id ? null : id));
    const instead = left === undefined ? null : pageInstead(left);
    if (instead === address.page) await pages.refresh(address);
    else if (instead !== null) go({ ...address, page: instead }, 'replace');
  };
  return { leaving, onGone: (image: Image) => void onGone(image) };
}
