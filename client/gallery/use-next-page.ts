import { useEffect } from 'react';
import { deletedBefore, type KeptPage, lastPageInstead } from '../image/wall/kept-page.ts';
import { whenIdle } from '../lib/when-idle.ts';
import type { Address } from './address.ts';

/** The address of a page of the same list. @param kept the page on the screen */
export function otherPage(address: Address, page: number, kept: KeptPage | undefined): Address {
  if (page === address.page) return address;
  return { ...address, page, deleted: kept?.page === address.page ? deletedBefore(page, kept) : 0 };
}

/**
 * The address to go to instead, or null. The last page replaces one past the end. An address in the history may be older than the
 * last deletions on the page before it, and would skip as many images.
 * @param kept the page at the address, or the one before if it is `stale`
 */
export function addressInstead(address: Address, kept: KeptPage | undefined, stale: boolean): Address | null {
  if (kept === undefined) return null;
  if (!stale) {
    const last = lastPageInstead(kept, address.page);
    return last === null ? null : { ...address, page: last, deleted: 0 };
  }
  const deleted = kept.page < address.page ? deletedBefore(address.page, kept) : 0;
  return deleted > (address.deleted ?? 0) ? { ...address, deleted } : null;
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
