import { preload } from '../image/wall/preload.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { queries } from '../query/queries.ts';
import type { Address } from './address.ts';
import { imagesAt } from './images-at.ts';

/** How many thumbnails of the next page are prefetched: about one screen. */
const PRELOADED = 12;

interface Connection {
  readonly connection?: { readonly saveData?: boolean };
}

const savesData = (): boolean =>
  (navigator as Connection).connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches;

/** Whether the visible pictures have loaded: prefetching waits for them. */
const isAtRest = (): boolean =>
  [...document.querySelectorAll<HTMLImageElement>('main li img[loading="eager"]')].every((image) => image.complete);

/** Prefetches a page and its first thumbnails once the visible pictures have loaded. @returns a function that cancels it */
export function fetchAhead(next: Address): () => void {
  if (savesData()) return () => {};
  let isOver = false;
  let callOff = (): void => {};
  const fetchPage = async (): Promise<void> => {
    const ahead = await queries.prefetch(imagesAt(next));
    if (isOver || ahead === undefined) return;
    const thumbnails = ahead.images.slice(0, PRELOADED).filter(({ hidden }) => !hidden);
    callOff = preload(thumbnails.map((image) => ({ src: image.thumbnail_url, avif: image.thumbnail_avif_url })));
  };
  const wait = (): void => {
    callOff = whenIdle(() => {
      if (isAtRest()) return void fetchPage();
      const timer = setTimeout(wait, 250);
      callOff = () => clearTimeout(timer);
    });
  };
  wait();
  return () => {
    isOver = true;
    callOff();
  };
}
