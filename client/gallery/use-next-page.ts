import { useEffect } from 'react';
import type { KeptPage } from '../image/wall/kept-page.ts';
import { whenIdle } from '../lib/when-idle.ts';
import type { Address } from './address.ts';

/** Prefetches the next page once the current one has loaded, so that Next shows it at once. */
export function useNextPage(address: Address, kept: KeptPage | undefined): void {
  useEffect(() => {
    if (kept === undefined || address.page >= kept.totalPages) return;
    let isOver = false;
    let callOff = whenIdle(async () => {
      // Prefetching is optional: without it the next page loads on demand.
      const loaded = await import('./next-page.ts').catch(() => undefined);
      if (!isOver && loaded) callOff = loaded.fetchAhead({ ...address, page: address.page + 1 });
    });
    return () => {
      isOver = true;
      callOff();
    };
  }, [address, kept]);
}
