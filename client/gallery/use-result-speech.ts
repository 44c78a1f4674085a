import { useEffect, useRef, useState } from 'react';
import { texts } from '../text/gallery.ts';
import type { Address } from './address.ts';
import type { KeptPage } from './page-cache.ts';

/** What a screen reader hears once a change of page, search or order has its images; nothing for the first page. */
export function useResultSpeech({ page, search, sort }: Address, kept: KeptPage | undefined, stale: boolean): string {
  const [said, setSaid] = useState('');
  const spoken = useRef<string[]>(undefined);
  useEffect(() => {
    if (kept === undefined || stale) return;
    const place = [search, sort ?? '', String(page)];
    const before = spoken.current;
    spoken.current = place;
    if (before === undefined || before.join() === place.join()) return;
    const searched = before[0] !== search;
    const { found, spoken: turned } = texts.pager;
    // An empty result is said by its own block.
    if (kept.total === 0) return setSaid('');
    const words = searched
      ? found(kept.total, kept.total_is_estimate)
      : turned(page, kept.totalPages, kept.images.length);
    // The same words once more are spoken only where they are another text.
    setSaid((last) => (last === words ? `${words}\u00a0` : words));
  }, [page, search, sort, kept, stale]);
  return said;
}
