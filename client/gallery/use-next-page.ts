import { useEffect } from 'react';
import { whenIdle } from '../lib/when-idle.ts';
import type { Address } from './address.ts';
import type { KeptPage } from './page-cache.ts';
import type { Pages } from './pages.ts';
import { warm } from './warm.ts';

/** Thumbnails of the next page that are fetched with its list: about a screen of them. */
const WARMED = 12;

interface Connection {
  readonly connection?: { readonly saveData?: boolean };
}

const savesData = (): boolean =>
  (navigator as Connection).connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches;

/** Whether the pictures that are seen now have come: nothing is fetched ahead of them. */
const isAtRest = (): boolean =>
  [...document.querySelectorAll<HTMLImageElement>('main li img[loading="eager"]')].every((image) => image.complete);

/** Once the page on the screen has all it needs, fetches the one that Next leads to, so that turning shows it at once. */
export function useNextPage(pages: Pages, address: Address, kept: KeptPage | undefined): void {
  useEffect(() => {
    if (kept === undefined || address.page >= kept.totalPages || savesData()) return;
    const next = { ...address, page: address.page + 1 };
    let isOver = false;
    let callOff = (): void => {};
    const fetchAhead = async (): Promise<void> => {
      const ahead = await pages.prefetch(next);
      if (isOver || ahead === undefined) return;
      const thumbnails = ahead.images.slice(0, WARMED);
      callOff = warm(thumbnails.map((image) => ({ src: image.thumbnail_url, avif: image.thumbnail_avif_url })));
    };
    const wait = (): void => {
      callOff = whenIdle(() => {
        if (isAtRest()) return void fetchAhead();
        const timer = setTimeout(wait, 250);
        callOff = () => clearTimeout(timer);
      });
    };
    wait();
    return () => {
      isOver = true;
      callOff();
    };
  }, [pages, address, kept]);
}
