import { useEffect } from 'react';
import { deletedBefore, type KeptPage } from '../image/wall/kept-page.ts';
import { whenIdle } from '../lib/when-idle.ts';
import type { Address } from './address.ts';

/** The address of a page of the same list. @param kept the page on the screen */
export function otherPage(address: Address, page: number, kept: KeptPage | undefined): Address {
  if (page === address.page) return address;
  return { ...address, page, deleted: kept?.page === address.page ? deletedBefore(page, kept) : 0 };
}

/** Prefetches the next page once the current one has loaded, so that Next shows it at once. */
export function useNextPage(address: Address, kept: KeptPage | undefined): void {
  useEffect(() => {
    if (kept === undefined || address.page >= kept.totalPages) return;
    let isOver = false;
    let callOff = whenIdle(async () => {
      // Prefetching is optional: without it the next page loads on demand.
      const loaded = await import('./next-page.ts').catch(() => undefined);
      if (!isOver && loaded) callOff = loaded.fetchAhead(otherPage(address, address.page + 1, kept));
    });
    return () => {
      isOver = true;
      callOff();
    };
  }, [address, kept]);
}
